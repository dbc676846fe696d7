/** A query ends when it is told to, whatever it is doing at that moment. */

import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { open } from '../../src/index.ts';
import { machine } from '../support/asking.ts';

/** Would take longer than any test may. */
const ENDLESS = 'select sleep_ms(600000)';

describe('an aborted signal', () => {
  it('ends a query at every step on its way to the first row', async () => {
    for (let turns = 0; turns < 40; turns++) {
      const engine = await open({ environment: machine() });
      const controller = new AbortController();
      const answer = engine.query(ENDLESS, [], { signal: controller.signal });
      const first = answer.next().catch((error: unknown) => error);
      for (let i = 0; i < turns; i++) await turn();
      controller.abort();
      expect(await first).toMatchObject({ code: 'INTERRUPTED' });
      engine.close();
    }
  });

  it('leaves the engine to the next query', async () => {
    const engine = await open({ environment: machine() });
    const controller = new AbortController();
    const answer = engine.query(ENDLESS, [], { signal: controller.signal });
    const first = answer.next().catch((error: unknown) => error);
    controller.abort();
    expect(await first).toMatchObject({ code: 'INTERRUPTED' });
    expect((await engine.query('select 7 as a').next()).value).toEqual({ a: 7 });
    engine.close();
  });

  it('ends a query before it lists files for nobody', async () => {
    const wasEnded: boolean[] = [];
    for (let turns = 0; turns < 40; turns++) {
      const controller = new AbortController();
      const variables = {
        get CODEX_HOME() {
          wasEnded.push(controller.signal.aborted);
          return '/nowhere';
        },
      };
      const engine = await open({ environment: machine(undefined, variables) });
      const sql = "select * from read_conversations(source = 'codex'), (select sleep_ms(1))";
      const first = engine
        .query(sql, [], controller)
        .next()
        .catch(() => null);
      for (let i = 0; i < turns; i++) await turn();
      controller.abort();
      await first;
      engine.close();
    }
    expect(wasEnded).toContain(false);
    expect(wasEnded).not.toContain(true);
  });

  it('does not end a query that runs beside the one that was ended', async () => {
    const engine = await open({ environment: machine() });
    const controller = new AbortController();
    const ended = engine
      .query(ENDLESS, [], controller)
      .next()
      .catch((error: unknown) => error);
    const running = engine.query("select count(*) as n from read_plans(source = 'claude')").next();
    controller.abort();
    expect((await running).value).toEqual({ n: 0 });
    expect(await ended).toMatchObject({ code: 'INTERRUPTED' });
    engine.close();
  });

  it('ends a stream that is not read just then', async () => {
    const engine = await open({ environment: machine() });
    const controller = new AbortController();
    const answer = engine.query('from range(10000000)', [], { signal: controller.signal });
    await answer.next();
    controller.abort();
    const rest = async () => {
      for await (const _ of answer);
    };
    await expect(rest()).rejects.toMatchObject({ code: 'INTERRUPTED' });
    engine.close();
  });
});
