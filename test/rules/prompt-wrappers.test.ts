/** Prompts taken apart into what a person wrote and what a harness wrapped into it. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromWire, toWire } from '../../src/bytes/text.ts';
import { isConversationClass, MESSAGE_CLASSES } from '../../src/harness/shared/prompt/classes.ts';
import { type SplitPrompt, splitWrappers } from '../../src/harness/shared/prompt/wrappers.ts';

/** A prompt taken apart, as ordinary text. */
function split(text: string): SplitPrompt {
  const { human, isHumanBlank, injections } = splitWrappers(toWire(text));
  return {
    human: fromWire(human),
    isHumanBlank,
    injections: injections.map(injection => ({ ...injection, text: fromWire(injection.text) })),
  };
}

function tagsIn(text: string): string[] {
  return split(text).injections.map(({ tag }) => tag);
}

/** The prompt put together again from its parts. */
function rebuilt({ human, injections }: SplitPrompt): string {
  const rest = [...human];
  const characters: string[] = [];
  for (const { text, textStart } of injections) {
    characters.push(...rest.splice(0, textStart - characters.length), ...text);
  }
  return [...characters, ...rest].join('');
}

describe('a wrapper', () => {
  it('is cut out of what the person wrote, with its place in code points', () => {
    const text = 'Human é🦆.\n<system-reminder>x 🦆</system-reminder>\nMore.';
    expect(split(text)).toEqual({
      human: 'Human é🦆.\n\nMore.',
      isHumanBlank: false,
      injections: [
        {
          tag: 'system-reminder',
          messageClass: 'system_reminder',
          text: '<system-reminder>x 🦆</system-reminder>',
          textStart: 10,
          textEnd: 48,
        },
      ],
    });
  });

  it('takes the white space around it when the person wrote nothing else', () => {
    const only = ' \n<skill>\nx\n</skill>\n\u00a0\n<turn_aborted>y</turn_aborted>\u2003\n';
    const { human, isHumanBlank, injections } = split(only);
    expect(human).toBe('');
    expect(isHumanBlank).toBe(true);
    expect(injections.map(({ text }) => text)).toEqual([
      ' \n<skill>\nx\n</skill>',
      '\n\u00a0\n<turn_aborted>y</turn_aborted>\u2003\n',
    ]);
    expect(injections.map(({ textStart, textEnd }) => [textStart, textEnd])).toEqual([
      [0, 20],
      [20, 55],
    ]);
  });

  it.each([
    ['system-reminder', 'system_reminder'],
    ['local-command-caveat', 'system_reminder'],
    ['environment_context', 'context_injection'],
    ['instructions', 'context_injection'],
    ['user_instructions', 'context_injection'],
    ['permissions', 'context_injection'],
    ['skill', 'skill_body'],
    ['hook_prompt', 'hook_output'],
    ['turn_aborted', 'interrupt_marker'],
    ['subagent_notification', 'agent_message'],
    ['task-notification', 'agent_message'],
    ['local-command-stdout', 'local_command_output'],
    ['local-command-stderr', 'local_command_output'],
    ['bash-stdout', 'local_command_output'],
    ['bash-stderr', 'local_command_output'],
  ])('named %s is of class %s', (tag, messageClass) => {
    const found = split(`<${tag} a="b">\nx\n</${tag}>`).injections;
    expect(found.map(injection => [injection.tag, injection.messageClass])).toEqual([
      [tag, messageClass],
    ]);
  });

  it('may follow white space on its line, or the wrapper before it', () => {
    expect(tagsIn('Hi\n \t\u00a0<skill>x</skill>')).toEqual(['skill']);
    expect(tagsIn('a\n<skill>x</skill><turn_aborted>y</turn_aborted>')).toEqual([
      'skill',
      'turn_aborted',
    ]);
    expect(tagsIn('<skill>x</skill> <turn_aborted>y</turn_aborted>')).toEqual(['skill']);
  });

  it('nests in its own kind, and holds whatever lies inside it', () => {
    const nested = '<skill>a<skill>b</skill>c</skill>';
    expect(split(`Hi\n${nested}\nyou`).injections.map(({ text }) => text)).toEqual([nested]);
    expect(tagsIn('<skill>\n<turn_aborted>\n</turn_aborted>\n</skill>')).toEqual(['skill']);
    expect(tagsIn('<skill>\n<turn_aborted>\n</skill>\n</turn_aborted>')).toEqual(['skill']);
  });

  it('ends where its tag is closed outside of code and quotes', () => {
    const inside = ['```\n</skill>\n```', '~~~ xml\n</skill>\n~~~~', '> </skill>', '   > </skill>'];
    for (const literal of inside) {
      const text = `<skill>\n${literal}\n</skill>`;
      expect(
        split(`Hi\n${text}\n`).injections.map(found => found.text),
        literal,
      ).toEqual([text]);
    }
  });
});

describe('the text of the person', () => {
  it.each([
    ['a tag within a line', 'See <skill>x</skill> here'],
    ['code between backticks', '```\n<skill>x</skill>\n```'],
    ['code between tildes', '~~~\n<skill>x</skill>\n~~~'],
    ['code that is indented', '   ```\n<skill>x</skill>\n   ```'],
    ['code that is not closed', 'a\n````\n<skill>x</skill>\n```\n'],
    ['code that holds a shorter fence', '````\n```\n<skill>x</skill>\n````'],
    ['code whose fence has more text', '```\n``` b\n<skill>x</skill>\n```'],
    ['code between other marks', '~~~\n```\n<skill>x</skill>\n~~~'],
    ['a quoted line', '> <skill>x</skill>'],
    ['an unknown tag', '<div>x</div>'],
    ['a longer name', '<skills>x</skills>'],
    ['another case', '<Skill>x</Skill>'],
    ['a tag that is not closed', '<skill>x\n'],
    ['a tag that is only closed', '</skill>\n'],
    ['a tag closed in code', '<skill>x\n```\n</skill>\n```'],
    ['an inner tag that is not closed', '<skill>a\n<skill>b'],
    ['a tag with a tag in it', '<skill <b>>x</skill>'],
    ['nothing', ''],
    ['white space', ' \n\u3000'],
  ])('keeps %s', (_, text) => {
    const { human, injections } = split(text);
    expect(human).toBe(text);
    expect(injections).toEqual([]);
  });

  it('is not code after a fence that is closed or that is within a line', () => {
    expect(tagsIn('```\na\n```\n<skill>x</skill>')).toEqual(['skill']);
    expect(tagsIn('```a``` b\n<skill>x</skill>')).toEqual(['skill']);
    expect(tagsIn('    ```\n<skill>x</skill>')).toEqual(['skill']);
    expect(tagsIn('``\n<skill>x</skill>')).toEqual(['skill']);
  });

  it('is blank when it is white space, wrappers or not', () => {
    expect(split('').isHumanBlank).toBe(true);
    expect(split(' \u2028\n').isHumanBlank).toBe(true);
    expect(split('x').isHumanBlank).toBe(false);
    // The second byte of this letter is a white space character of Latin-1.
    expect(split('à').isHumanBlank).toBe(false);
    expect(split('<skill>x</skill>à').human).toBe('à');
  });
});

const pieces = fc.constantFrom(
  ...['<skill>', '</skill>', '<skill ', '<turn_aborted>', '</turn_aborted>', '>', '<', '\n'],
  ...['\n', '\n```', '~~~', '\n> ', ' ', '\u00a0', 'à', '🦆', 'x', 'y\n', '<div>'],
);

const prompt = fc.array(pieces, { maxLength: 40 }).map(parts => parts.join(''));

describe('any prompt', () => {
  it('can be put together again from its parts', () => {
    fc.assert(
      fc.property(prompt, text => {
        expect(rebuilt(split(text))).toBe(text);
      }),
      { numRuns: 3000 },
    );
  });

  it('has parts in order that do not overlap and that hold the text of their place', () => {
    fc.assert(
      fc.property(prompt, text => {
        const characters = [...text];
        let end = 0;
        for (const found of split(text).injections) {
          expect(found.textStart).toBeGreaterThanOrEqual(end);
          expect(found.textEnd).toBeGreaterThan(found.textStart);
          end = found.textEnd;
          expect(characters.slice(found.textStart, end).join('')).toBe(found.text);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('without wrappers stays as it is', () => {
    const strange = fc.string({ unit: 'binary', maxLength: 60 }).map(toWire);
    fc.assert(
      fc.property(strange, text => {
        expect(splitWrappers(text).human).toBe(text);
      }),
    );
    fc.assert(
      fc.property(prompt, text => {
        fc.pre(tagsIn(text).length === 0);
        expect(split(split(text).human)).toEqual(split(text));
      }),
    );
  });

  it('is read in a time that grows with its length only', () => {
    const started = performance.now();
    for (const piece of [
      '<skill>\n',
      '<skill ',
      '\n<skill ></skill',
      '```\n<skill>',
      '\n  <skill>',
    ]) {
      expect(splitWrappers(piece.repeat(100_000)).injections).toEqual([]);
    }
    const many = '<skill>x</skill>\n'.repeat(100_000);
    expect(splitWrappers(many).injections).toHaveLength(100_000);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('message classes', () => {
  it('are seventeen, seven of them conversation', () => {
    expect(new Set(MESSAGE_CLASSES).size).toBe(17);
    expect(MESSAGE_CLASSES.filter(isConversationClass)).toEqual([
      'human_prompt',
      'queued_prompt',
      'assistant_text',
      'subagent_brief',
      'subagent_report',
      'compaction_summary',
      'task_notification_summary',
    ]);
  });
});
