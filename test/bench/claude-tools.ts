/**
 * The tool calls of the invented Claude Code sessions: input, result and the harness's own details.
 */
import { type JsonText, json, jsonArray } from './json-text.ts';
import type { Random } from './random.ts';
import { filePath, type TextKind, type TextPools } from './text.ts';

/** What one tool call is made of. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The `input` of the tool_use block: an object. */
  readonly input: JsonText;
  /** The text of the tool_result block, without quotes. */
  readonly result: JsonText;
  /** The record's `toolUseResult`: an object. */
  readonly details: JsonText;
}

/** What a tool is made from. */
interface Context {
  readonly random: Random;
  readonly pools: TextPools;
  readonly cwd: string;
  /** About the length of the result in bytes. */
  readonly result_length: number;
}

type Tool = (context: Context) => Omit<ToolCall, 'id'>;

/** A random tool call; a repeated tool in this list is a more frequent one. */
export function makeToolCall(context: Context): ToolCall {
  const id = `toolu_01${context.random.alphanumeric(22)}`;
  return { id, ...context.random.pick(tools)(context) };
}

/** A tool call whose result has the given length, however long. */
export function makeLongToolCall(context: Context): ToolCall {
  return { id: `toolu_01${context.random.alphanumeric(22)}`, ...bash(context) };
}

const bash: Tool = ({ random, pools, result_length }) => {
  const command = textOf({ random, pools }, random.skewed(12, 1500), ['code', 'terminal']);
  const description = pools.take('prose', 40, random);
  const result = textOf({ random, pools }, result_length, ['terminal', 'terminal', 'code']);
  return {
    name: 'Bash',
    input: json`{"command":"${command}","description":"${description}"}`,
    result,
    details: json`{"stdout":"${result}","stderr":"","interrupted":false,"isImage":false}`,
  };
};

const read: Tool = ({ random, pools, cwd, result_length }) => {
  const path = `${cwd}/${filePath(random)}`;
  const result = textOf({ random, pools }, result_length, ['code', 'code', 'prose']);
  const line_count = Math.ceil(result_length / 40);
  const numbers = `"numLines":${line_count},"startLine":1,"totalLines":${line_count}`;
  return {
    name: 'Read',
    input: json`{"file_path":"${path}","offset":1,"limit":${line_count}}`,
    result,
    details: json`{"type":"text","file":{"filePath":"${path}","content":"${result}",${numbers}}}`,
  };
};

const edit: Tool = ({ random, pools, cwd }) => {
  const path = `${cwd}/${filePath(random)}`;
  const length = random.skewed(60, 4000);
  const kind = pools.kindFor(2 * length, ['code'], random);
  const before = pools.take(kind, length, random);
  const after = pools.take(kind, length, random);
  const texts = json`"oldString":"${before}","newString":"${after}"`;
  const hunk = json`{"oldStart":12,"oldLines":9,"newStart":12,"newLines":9,
    "lines":["-${before}","+${after}"]}`;
  return {
    name: 'Edit',
    input: json`{"file_path":"${path}","old_string":"${before}","new_string":"${after}"}`,
    result: json`The file ${path} has been updated.`,
    details: json`{"filePath":"${path}",${texts},"structuredPatch":[${hunk}],
      "userModified":false}`,
  };
};

const write: Tool = ({ random, pools, cwd }) => {
  const path = `${cwd}/${filePath(random)}`;
  const content = textOf({ random, pools }, random.skewed(200, 16_000), ['code', 'prose']);
  return {
    name: 'Write',
    input: json`{"file_path":"${path}","content":"${content}"}`,
    result: json`File created at ${path}`,
    details: json`{"type":"create","filePath":"${path}","content":"${content}",
      "structuredPatch":[]}`,
  };
};

const grep: Tool = ({ random, pools, cwd, result_length }) => {
  const result = textOf({ random, pools }, result_length, ['terminal', 'code']);
  const pattern = pools.take('signature', 16, random);
  return {
    name: 'Grep',
    input: json`{"pattern":"${pattern}","path":"${cwd}","output_mode":"content","-n":true}`,
    result,
    details: json`{"mode":"content","numFiles":0,"filenames":[],"content":"${result}"}`,
  };
};

const glob: Tool = ({ random, cwd }) => {
  const paths = Array.from({ length: random.skewed(1, 60) }, () => `${cwd}/${filePath(random)}`);
  const file_names = jsonArray(paths.map(path => json`"${path}"`));
  return {
    name: 'Glob',
    input: json`{"pattern":"**/*.${random.pick(['ts', 'md', 'py'])}"}`,
    result: json`${paths.join('\\n')}`,
    details: json`{"filenames":${file_names},"numFiles":${paths.length},"truncated":false}`,
  };
};

const todo: Tool = ({ random, pools }) => {
  const items = Array.from({ length: random.between(2, 8) }, () => {
    const content = textOf({ random, pools }, 50, ['prose']);
    const status = random.pick(['completed', 'in_progress', 'pending']);
    return json`{"content":"${content}","status":"${status}","activeForm":"${content}"}`;
  });
  const todos = jsonArray(items);
  return {
    name: 'TodoWrite',
    input: json`{"todos":${todos}}`,
    result: json`Todos have been updated.`,
    details: json`{"oldTodos":[],"newTodos":${todos}}`,
  };
};

const tools: readonly Tool[] = [
  ...Array<Tool>(10).fill(bash),
  ...Array<Tool>(6).fill(read),
  ...Array<Tool>(5).fill(edit),
  ...Array<Tool>(3).fill(grep),
  ...Array<Tool>(2).fill(write),
  glob,
  todo,
];

function textOf(
  { random, pools }: Pick<Context, 'random' | 'pools'>,
  byte_length: number,
  ascii_kinds: readonly TextKind[],
): JsonText {
  return pools.take(pools.kindFor(byte_length, ascii_kinds, random), byte_length, random);
}
