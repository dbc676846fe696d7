/**
 * One invented Claude Code session, written turn by turn in the record shapes of Claude Code.
 *
 * A model call is spread over several lines, one content block each, with its usage repeated; in a
 * tenth of the calls the output count still grows from line to line. A few lines hold all blocks of
 * their call, as older versions wrote them.
 */
import { makeLongToolCall, makeToolCall, type ToolCall } from './claude-tools.ts';
import { type JsonText, json, jsonArray } from './json-text.ts';
import type { LineWriter } from './line-writer.ts';
import type { Random } from './random.ts';
import type { TextKind, TextPools } from './text.ts';
import type { CallTokens, CountedBlock, Tally } from './truth.ts';

/** Half of a line of 1 MB: a shell call's output stands in its line twice. */
const LONG_RESULT_BYTES = 500_000;
const FIRST_DAY_MS = Date.UTC(2026, 0, 5, 8);

/** What a session is made from. */
export interface SessionSetting {
  readonly random: Random;
  readonly pools: TextPools;
  readonly writer: LineWriter;
  readonly tally: Tally;
  readonly session_id: string;
  readonly cwd: string;
  /** Records of new versions carry their environment at the end, those of old ones in front. */
  readonly is_new_version: boolean;
}

/** A content block with its JSON. */
interface Block extends CountedBlock {
  readonly json: JsonText;
}

/** What the lines of one model call have in common. */
interface ModelCall {
  readonly message_id: string;
  readonly request_id: string;
  readonly model: string;
  readonly stop_reason: 'tool_use' | 'end_turn';
  readonly input_usage: string;
  readonly input_tokens: Omit<CallTokens, 'output'>;
}

/** Writes the records of one session. */
export class ClaudeSession {
  readonly #setting: SessionSetting;
  readonly #environment: string;
  readonly #model: string;
  #parent: string | null = null;
  #clock_ms: number;
  #context_tokens = 12_000;

  constructor(setting: SessionSetting) {
    const { random, session_id, cwd, is_new_version } = setting;
    const version = is_new_version ? `2.1.${random.between(60, 199)}` : `1.0.${random.below(120)}`;
    const branch = random.pick(['main', 'main', 'fix/offsets', 'feature/cache-index']);
    const place = `"cwd":"${cwd}","sessionId":"${session_id}"`;
    const environment = `${place},"version":"${version}","gitBranch":"${branch}"`;
    this.#setting = setting;
    this.#environment = is_new_version
      ? `,"userType":"external","entrypoint":"cli",${environment},"slug":"calm-amber-otter"`
      : `,"userType":"external",${environment}`;
    this.#model = random.pick(['claude-opus-4-6', 'claude-sonnet-4-5-20250929', 'claude-sonnet-5']);
    this.#clock_ms = FIRST_DAY_MS + random.below(200 * 86_400) * 1000;
  }

  /** A prompt, the model calls and tool results that it leads to, and the final answer. */
  writeTurn(has_long_result: boolean): void {
    const { random } = this.#setting;
    this.#writeSideRecords();
    this.#writePrompt();
    const tool_rounds = random.skewed(1, 12);
    for (let round = 0; round < tool_rounds; round += 1) {
      this.#writeToolRound(has_long_result && round === 0);
    }
    const blocks = [...this.#maybeThinking(), this.#text()];
    this.#writeModelCall(blocks, 'end_turn');
  }

  #writeToolRound(has_long_result: boolean): void {
    const { random } = this.#setting;
    const call_count = random.chance(0.05) ? 2 : 1;
    const calls = Array.from({ length: call_count }, () => this.#toolCall(has_long_result));
    const text = random.chance(0.81) ? [this.#text()] : [];
    const blocks = [...this.#maybeThinking(), ...text, ...calls.map(toolUseBlock)];
    this.#writeModelCall(blocks, 'tool_use');
    if (call_count > 1 && random.chance(0.3)) this.#writeResults(calls);
    else for (const call of calls) this.#writeResults([call]);
  }

  #toolCall(is_long: boolean): ToolCall {
    const { random, pools, cwd } = this.#setting;
    if (is_long) {
      return makeLongToolCall({ random, pools, cwd, result_length: LONG_RESULT_BYTES });
    }
    return makeToolCall({ random, pools, cwd, result_length: random.skewed(50, 17_000) });
  }

  #writeModelCall(blocks: readonly Block[], stop_reason: ModelCall['stop_reason']): void {
    const { random, tally, is_new_version } = this.#setting;
    const call = this.#modelCall(stop_reason);
    const is_one_line = !is_new_version && random.chance(0.04);
    const lines = is_one_line ? [blocks] : blocks.map(block => [block]);
    const output_tokens = random.skewed(20, 4000);
    const is_growing = random.chance(0.14);
    for (const [index, line] of lines.entries()) {
      const is_last = index === lines.length - 1;
      const so_far = is_growing && !is_last ? 1 + index : output_tokens;
      this.#writeAssistant(call, line, so_far, is_last);
    }
    tally.modelCall({ ...call.input_tokens, output: output_tokens });
  }

  /** Input, cache writes and cache reads are disjoint; the two lifetimes add up to the writes. */
  #modelCall(stop_reason: ModelCall['stop_reason']): ModelCall {
    const { random } = this.#setting;
    const written = random.skewed(100, 9000);
    const for_an_hour = random.chance(0.5) ? written : random.below(written);
    const cache_creation = {
      ephemeral_5m_input_tokens: written - for_an_hour,
      ephemeral_1h_input_tokens: for_an_hour,
    };
    const input_tokens = {
      input_uncached: random.between(1, 40),
      cache_read: this.#context_tokens,
      cache_write: written,
    };
    const input_usage = JSON.stringify({
      input_tokens: input_tokens.input_uncached,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: this.#context_tokens,
      cache_creation,
    }).slice(1, -1);
    this.#context_tokens = (this.#context_tokens + written) % 190_000;
    return {
      message_id: `msg_01${random.alphanumeric(22)}`,
      request_id: `req_011C${random.alphanumeric(20)}`,
      model: this.#model,
      stop_reason,
      input_usage,
      input_tokens,
    };
  }

  #writeAssistant(
    call: ModelCall,
    blocks: readonly Block[],
    output_tokens: number,
    is_last: boolean,
  ): void {
    const { tally } = this.#setting;
    const content = jsonArray(blocks.map(block => block.json));
    const stop_reason = is_last ? `"${call.stop_reason}"` : 'null';
    const usage = `${call.input_usage},"output_tokens":${output_tokens},"service_tier":"standard"`;
    this.#writeChained(
      json`"message":{"model":"${call.model}","id":"${call.message_id}","type":"message",
        "role":"assistant","content":${content},"stop_reason":${stop_reason},"stop_sequence":null,
        "usage":{${usage}}},"requestId":"${call.request_id}","type":"assistant"`,
    );
    tally.assistant(blocks, output_tokens);
  }

  #writePrompt(): void {
    const { random, pools, tally } = this.#setting;
    const length = random.skewed(15, 3000);
    const text = pools.take(this.#kindFor(length), length, random);
    if (random.chance(0.85)) {
      this.#writeChained(json`"type":"user","message":{"role":"user","content":"${text}"}`);
      tally.user('string');
    } else {
      const blocks = [{ type: 'text' as const }, { type: 'text' as const }];
      this.#writeChained(
        json`"type":"user","message":{"role":"user","content":[
          {"type":"text","text":"<ide_opened_file>README.md</ide_opened_file>"},
          {"type":"text","text":"${text}"}]}`,
      );
      tally.user(blocks);
    }
  }

  /** A user record with the results of one or more tool calls, now and then with human text too. */
  #writeResults(calls: readonly ToolCall[]): void {
    const { random, pools, tally } = this.#setting;
    const is_error = random.chance(0.04);
    const blocks = calls.map(call => toolResultBlock(call, is_error, random.chance(0.03)));
    if (random.chance(0.01)) {
      const text = pools.take('prose', random.skewed(20, 200), random);
      blocks.push({ type: 'text', json: json`{"type":"text","text":"${text}"}` });
    }
    const details = is_error ? json`"Error: exit code 1"` : (calls[0]?.details ?? json`null`);
    const content = jsonArray(blocks.map(block => block.json));
    this.#writeChained(
      json`"type":"user","message":{"role":"user","content":${content}},"toolUseResult":${details}`,
    );
    tally.user(blocks);
  }

  /** What lies between the turns: snapshots, summaries and system records. */
  #writeSideRecords(): void {
    const { random } = this.#setting;
    if (random.chance(0.0505)) this.#writeSnapshot();
    if (random.chance(0.0318)) this.#writeSummary();
    if (random.chance(0.03)) this.#writeSystem();
  }

  #writeSnapshot(): void {
    const { random, writer, tally } = this.#setting;
    const message_id = random.uuid();
    const time = this.#tick();
    writer.line(
      json`{"type":"file-history-snapshot","messageId":"${message_id}","snapshot":{
        "messageId":"${message_id}","trackedFileBackups":{},"timestamp":"${time}"},
        "isSnapshotUpdate":false}`,
    );
    tally.plain('file-history-snapshot');
  }

  #writeSummary(): void {
    const { random, pools, writer, tally } = this.#setting;
    const summary = pools.take('prose', 60, random);
    writer.line(json`{"type":"summary","summary":"${summary}","leafUuid":"${random.uuid()}"}`);
    tally.plain('summary');
  }

  #writeSystem(): void {
    const { random, tally } = this.#setting;
    const duration_ms = random.skewed(900, 900_000);
    this.#writeChained(
      random.pick([
        json`"type":"system","subtype":"turn_duration","durationMs":${duration_ms},"isMeta":false`,
        json`"type":"system","subtype":"local_command",
          "content":"<command-name>/cost</command-name>","level":"info","isMeta":false`,
      ]),
    );
    tally.plain('system');
  }

  #maybeThinking(): Block[] {
    const { random, pools } = this.#setting;
    if (!random.chance(0.254)) return [];
    const signature = pools.take('signature', random.skewed(200, 1200), random);
    const is_empty = random.chance(0.05);
    const length = random.skewed(100, 8000);
    const text = is_empty ? json`` : pools.take(this.#kindFor(length), length, random);
    return [
      {
        type: 'thinking',
        is_empty,
        json: json`{"type":"thinking","thinking":"${text}","signature":"${signature}"}`,
      },
    ];
  }

  #text(): Block {
    const { random, pools } = this.#setting;
    const length = random.skewed(25, 5000);
    const text = pools.take(this.#kindFor(length), length, random);
    return { type: 'text', json: json`{"type":"text","text":"${text}"}` };
  }

  #kindFor(byte_length: number): TextKind {
    const { random, pools } = this.#setting;
    return pools.kindFor(byte_length, ['prose', 'prose', 'prose', 'code'], random);
  }

  /** A record with a uuid, hung below the one before it. */
  #writeChained(body: JsonText): void {
    const { random, writer, is_new_version } = this.#setting;
    const uuid = random.uuid();
    const parent = this.#parent === null ? 'null' : `"${this.#parent}"`;
    const front = is_new_version ? '' : this.#environment;
    const end = is_new_version ? this.#environment : '';
    writer.line(
      json`{"parentUuid":${parent},"isSidechain":false${front},${body},
        "uuid":"${uuid}","timestamp":"${this.#tick()}"${end}}`,
    );
    this.#parent = uuid;
  }

  /** The next timestamp: some steps go backwards, as they do in real files. */
  #tick(): string {
    const { random } = this.#setting;
    this.#clock_ms += random.chance(0.02) ? -random.below(500) : random.skewed(5, 60_000);
    return new Date(this.#clock_ms).toISOString();
  }
}

function toolUseBlock(call: ToolCall): Block {
  const { id, name, input } = call;
  return {
    type: 'tool_use',
    json: json`{"type":"tool_use","id":"${id}","name":"${name}","input":${input}}`,
  };
}

/** The text of a result is a plain string, or now and then an array of text blocks. */
function toolResultBlock(call: ToolCall, is_error: boolean, is_array: boolean): Block {
  const content = is_array
    ? json`[{"type":"text","text":"${call.result}"}]`
    : json`"${call.result}"`;
  const error = is_error ? ',"is_error":true' : '';
  return {
    type: 'tool_result',
    json: json`{"tool_use_id":"${call.id}","type":"tool_result","content":${content}${error}}`,
  };
}
