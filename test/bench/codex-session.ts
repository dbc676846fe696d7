/**
 * One invented Codex session, written turn by turn in the record shapes of Codex 0.140.
 *
 * A model call is a thought now and then, a text that is written as an event and as a response
 * item, calls of tools and their outputs, and a token count; some counts are repeated, with other
 * limits.
 */
import type { CodexTally } from './codex-tally.ts';
import { type JsonText, json } from './json-text.ts';
import type { LineWriter } from './line-writer.ts';
import type { Random } from './random.ts';
import { filePath, type TextKind, type TextPools } from './text.ts';

const LONG_RESULT_BYTES = 1_000_000;
const CONTEXT_WINDOW = 258_400;
const cwd = '/home/dev/work/harbour-map';

/** What a session is made from. */
export interface SessionSetting {
  readonly random: Random;
  readonly pools: TextPools;
  readonly writer: LineWriter;
  readonly tally: CodexTally;
  readonly session_id: string;
  readonly start_ms: number;
}

/** Counts of tokens, of one call or of all so far. */
interface Tokens {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
}

const NO_TOKENS: Tokens = { input: 0, cached: 0, output: 0, reasoning: 0 };

/** Writes the records of one session. */
export class CodexSession {
  readonly #setting: SessionSetting;
  #clock_ms: number;
  #total = NO_TOKENS;
  #turn = '';

  constructor(setting: SessionSetting) {
    this.#setting = setting;
    this.#clock_ms = setting.start_ms;
    this.#writeHeader();
  }

  /** A prompt, the model calls that it leads to, and the final answer. */
  writeTurn(has_long_result: boolean): void {
    const { random } = this.#setting;
    this.#turn = random.uuid();
    this.#writeTurnStart();
    this.#writePrompt();
    const rounds = random.skewed(2, 60);
    for (let round = 0; round < rounds; round += 1) {
      this.#writeRound(has_long_result && round === 0);
    }
    this.#writeThought();
    const answer = this.#text(25, 5000);
    this.#writeAnswer(answer, 'final_answer');
    this.#writeTokenCount();
    this.#event(
      json`"type":"task_complete","turn_id":"${this.#turn}","last_agent_message":"${answer}"`,
      'task_complete',
    );
  }

  #writeHeader(): void {
    const { random, pools, session_id } = this.#setting;
    const instructions = pools.take('prose', random.between(18_000, 28_000), random);
    this.#line(
      'session_meta',
      json`"id":"${session_id}","timestamp":"${this.#tick()}","cwd":"${cwd}",
        "originator":"codex-tui","cli_version":"0.140.0","source":"cli","thread_source":"user",
        "model_provider":"openai","base_instructions":{"text":"${instructions}"},
        "git":{"commit_hash":"${random.uuid()}","branch":"main"}`,
      null,
    );
    this.#message('developer', this.#text(4000, 12_000), '', 'developer');
    const context = `<environment_context>\\n  <cwd>${cwd}</cwd>\\n</environment_context>`;
    this.#message('user', json`${context}`, '', 'user');
  }

  #writeTurnStart(): void {
    const { random, pools } = this.#setting;
    const started = json`"type":"task_started","turn_id":"${this.#turn}",
      "model_context_window":${CONTEXT_WINDOW},"collaboration_mode_kind":"default"`;
    this.#event(started, 'task_started');
    const instructions = pools.take('prose', random.skewed(800, 8000), random);
    this.#line(
      'turn_context',
      json`"turn_id":"${this.#turn}","cwd":"${cwd}","approval_policy":"on-request",
        "sandbox_policy":{"type":"workspace-write","network_access":false},
        "model":"gpt-5.4-codex","personality":"friendly","effort":"high","summary":"auto",
        "user_instructions":"${instructions}"`,
      null,
    );
  }

  #writePrompt(): void {
    const prompt = this.#text(15, 3000);
    this.#message('user', prompt, '', 'user');
    this.#event(
      json`"type":"user_message","message":"${prompt}","images":[],"text_elements":[]`,
      null,
    );
  }

  #writeRound(has_long_result: boolean): void {
    const { random } = this.#setting;
    if (random.chance(0.55)) this.#writeThought();
    if (random.chance(0.42)) this.#writeAnswer(this.#text(25, 900), 'commentary');
    if (random.chance(0.08) && !has_long_result) this.#writePatch();
    else this.#writeCalls(has_long_result);
    this.#writeTokenCount();
    if (random.chance(0.04)) this.#repeatTokenCount();
  }

  #writeThought(): void {
    const { random, pools } = this.#setting;
    const secret = pools.take('signature', random.skewed(600, 5000), random);
    const text = this.#text(40, 300);
    this.#item(
      json`"type":"reasoning","summary":[{"type":"summary_text","text":"${text}"}],
        "content":null,"encrypted_content":"${secret}"`,
      'reasoning',
    );
    if (!random.chance(0.35)) return;
    this.#event(json`"type":"agent_reasoning","text":"${text}"`, 'agent_reasoning');
  }

  /** The text twice: the event is no row of its own. */
  #writeAnswer(text: JsonText, phase: string): void {
    this.#event(json`"type":"agent_message","message":"${text}","phase":"${phase}"`, null);
    this.#message('assistant', text, `,"phase":"${phase}"`, 'assistant');
  }

  #writeCalls(has_long_result: boolean): void {
    const { random } = this.#setting;
    const ids = Array.from({ length: random.skewed(1, 4) }, () => this.#callId());
    for (const id of ids) this.#writeCall(id);
    for (const [index, id] of ids.entries()) {
      const is_long = has_long_result && index === 0;
      const byte_length = is_long ? LONG_RESULT_BYTES : random.skewed(60, 20_000);
      this.#writeOutput('function_call_output', id, byte_length);
    }
  }

  #writeCall(id: string): void {
    const command = this.#text(12, 500, 'signature');
    this.#item(
      json`"type":"function_call","name":"exec_command",
        "arguments":"{\\"cmd\\":\\"${command}\\",\\"yield_time_ms\\":1000}",
        "call_id":"${id}","metadata":{"turn_id":"${this.#turn}"}`,
      'function_call',
    );
  }

  #writePatch(): void {
    const { random } = this.#setting;
    const id = this.#callId();
    const patch = this.#text(200, 6000);
    this.#item(
      json`"type":"custom_tool_call","status":"completed","call_id":"${id}",
        "name":"apply_patch","input":"*** Begin Patch\\n${patch}*** End Patch"`,
      'custom_tool_call',
    );
    if (random.chance(0.5)) {
      const path = filePath(random);
      this.#event(
        json`"type":"patch_apply_end","call_id":"${id}","turn_id":"${this.#turn}",
          "stdout":"","stderr":"","success":true,
          "changes":{"${path}":{"type":"update","unified_diff":"${patch}"}},
          "status":"completed"`,
        'patch_apply_end',
      );
    }
    this.#writeOutput('custom_tool_call_output', id, 200);
  }

  #writeOutput(type: string, id: string, byte_length: number): void {
    const { random, pools } = this.#setting;
    const kind = pools.kindFor(byte_length, ['terminal', 'terminal', 'code'], random);
    const output = pools.take(kind, byte_length, random);
    this.#item(json`"type":"${type}","call_id":"${id}","output":"Output:\\n${output}"`, type);
  }

  #writeTokenCount(): void {
    const { random } = this.#setting;
    const input = random.between(8000, 180_000);
    const output = random.skewed(20, 4000);
    const cached = Math.floor(input * random.unit());
    const last = { input, cached, output, reasoning: Math.floor(output * random.unit()) };
    this.#total = sumOf(this.#total, last);
    this.#writeCounts(last);
    const call = { input_uncached: input - cached, cache_read: cached, cache_write: 0, output };
    this.#setting.tally.tokenCount(this.#total.output, call);
  }

  /** The same counts again: only the limits have changed. */
  #repeatTokenCount(): void {
    this.#writeCounts(NO_TOKENS);
    this.#setting.tally.tokenCount(this.#total.output, null);
  }

  #writeCounts(last: Tokens): void {
    const { random, writer } = this.#setting;
    const percent = random.below(1000) / 10;
    writer.line(
      json`{"timestamp":"${this.#tick()}","type":"event_msg","payload":{"type":"token_count",
        "info":{"total_token_usage":${usage(this.#total)},"last_token_usage":${usage(last)},
        "model_context_window":${CONTEXT_WINDOW}},"rate_limits":{
        "primary":{"used_percent":${percent},"window_minutes":300,"resets_at":1778600000},
        "secondary":{"used_percent":4.0,"window_minutes":10080,"resets_at":1779000000},
        "credits":{"has_credits":false,"unlimited":false,"balance":null},"plan_type":"pro"}}}`,
    );
  }

  #message(role: string, text: JsonText, more: string, row: string): void {
    const type = role === 'assistant' ? 'output_text' : 'input_text';
    this.#item(
      json`"type":"message","role":"${role}",
        "content":[{"type":"${type}","text":"${text}"}]${more}`,
      row,
    );
  }

  #item(payload: JsonText, row: string | null): void {
    this.#line('response_item', payload, row);
  }

  #event(payload: JsonText, row: string | null): void {
    this.#line('event_msg', payload, row);
  }

  /** Writes a record and counts it. */
  #line(type: string, payload: JsonText, row: string | null): void {
    const { writer, tally } = this.#setting;
    writer.line(json`{"timestamp":"${this.#tick()}","type":"${type}","payload":{${payload}}}`);
    tally.record(type, row);
  }

  #text(min: number, max: number, kind?: TextKind): JsonText {
    const { random, pools } = this.#setting;
    const length = random.skewed(min, max);
    const kinds = ['prose', 'prose', 'prose', 'code'] as const;
    return pools.take(kind ?? pools.kindFor(length, kinds, random), length, random);
  }

  #callId(): string {
    return `call_${this.#setting.random.alphanumeric(24)}`;
  }

  /** The next timestamp: never backwards, and often the same millisecond. */
  #tick(): string {
    const { random } = this.#setting;
    if (random.chance(0.7)) this.#clock_ms += random.skewed(1, 20_000);
    return new Date(this.#clock_ms).toISOString();
  }
}

function usage({ input, cached, output, reasoning }: Tokens): JsonText {
  return json`{"input_tokens":${input},"cached_input_tokens":${cached},"output_tokens":${output},
    "reasoning_output_tokens":${reasoning},"total_tokens":${input + output}}`;
}

function sumOf(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    cached: a.cached + b.cached,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}
