/** What notifications about tasks say. */

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toWire } from '../../src/bytes/text.ts';
import {
  notificationKey,
  type TaskNotification,
  tagText,
  taskNotification,
} from '../../src/harness/shared/prompt/tags.ts';

const USAGE =
  '<usage><subagent_tokens>2202</subagent_tokens><tool_uses>0</tool_uses>' +
  '<duration_ms>1191</duration_ms></usage>';

function notification(result: string, usage = USAGE): string {
  return [
    '<task-notification>',
    '<task-id>a63d</task-id>',
    '<tool-use-id>toolu_7</tool-use-id>',
    '<status>completed</status>',
    '<summary>Agent "ü" finished</summary>',
    `<result>${result}</result>`,
    usage,
    '</task-notification>',
  ].join('\n');
}

const NOTHING: TaskNotification = {
  taskId: null,
  toolUseId: null,
  status: null,
  summary: null,
  result: null,
  subagentTokens: null,
  toolUses: null,
  durationMs: null,
};

describe('a notification', () => {
  it('says which task ended, how, with what and at what price', () => {
    const read = taskNotification(toWire(` \n${notification('\n All à.\n')}`));
    expect(read).toEqual({
      taskId: 'a63d',
      toolUseId: 'toolu_7',
      status: 'completed',
      summary: toWire('Agent "ü" finished'),
      result: toWire('All à.'),
      subagentTokens: 2202,
      toolUses: 0,
      durationMs: 1191,
    });
  });

  it('knows nothing of what it does not hold', () => {
    const empty = '<task-notification><status> </status><summary>open</task-notification>';
    expect(taskNotification(empty)).toEqual(NOTHING);
    expect(taskNotification('<task-notification>')).toEqual(NOTHING);
  });

  it('may have a result that quotes tags', () => {
    const result =
      'I saw <result>x</result> and <status>failed</status>, <tool_uses>9</tool_uses>.';
    const read = taskNotification(notification(result));
    expect(read?.result).toBe(result);
    expect(read?.status).toBe('completed');
    expect(read?.toolUses).toBe(0);
    expect(taskNotification('<task-notification><result>a</result>b')?.result).toBe('a');
    expect(taskNotification('<task-notification><result>a</result> \n')?.result).toBe('a');
    expect(taskNotification('<task-notification><result>a')?.result).toBeNull();
  });

  it('has counts only where digits stand', () => {
    for (const odd of ['', '-1', '1.5', '1,000', 'many', '9'.repeat(20)]) {
      const text = notification('x', `<usage><tool_uses>${odd}</tool_uses></usage>`);
      expect(taskNotification(text)?.toolUses).toBeNull();
    }
  });

  it('is not any other text', () => {
    for (const text of ['', 'x', 'See <task-notification>', '<task-notification', '<task-id>']) {
      expect(taskNotification(text)).toBeNull();
    }
  });

  it('never fails', () => {
    const parts = fc.constantFrom(
      '<result>',
      '</result>',
      '<usage>',
      '<task-id>',
      '</task-id>',
      'x',
    );
    fc.assert(
      fc.property(fc.array(parts), list => {
        expect(taskNotification(`<task-notification>${list.join('')}`)).not.toBeNull();
      }),
    );
  });
});

it('has a key of its task and its text', () => {
  const text = toWire(notification('ü'));
  const hash = createHash('sha256').update(notification('ü'), 'utf8').digest('hex');
  expect(notificationKey({ ...NOTHING, taskId: 'a63d' }, text)).toBe(
    `tn:a63d:${hash.slice(0, 16)}`,
  );
  expect(notificationKey(NOTHING, text)).toBe(`tn:-:${hash.slice(0, 16)}`);
});

it('takes the text of the first element of a name', () => {
  expect(tagText('<a>x</a><a>y</a>', 'a')).toBe('x');
  expect(tagText('<a>\n</a>', 'a')).toBeNull();
  expect(tagText('</a><a>x', 'a')).toBeNull();
  expect(tagText('<a b="c">x</a>', 'a')).toBeNull();
});
