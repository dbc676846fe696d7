/** What the tests write into homes of Grok. */

/** The folder of a project. */
export const PROJECT = 'sessions/%2Fhome%2Fmira%2Ftide';

const FIRST_SECOND = 1785492800;

/** A file of lines. */
export const lines = (...records: unknown[]) =>
  records.map(one => `${JSON.stringify(one)}\n`).join('');

/** An update of a session, some seconds after the first. */
export const update = (second: number, sessionUpdate: string, more: object = {}) => ({
  ...{ timestamp: FIRST_SECOND + second, method: 'session/update' },
  params: { update: { sessionUpdate, ...more } },
});

/** How the time of an update is written. */
export const time = (second: number) =>
  new Date((FIRST_SECOND + second) * 1000).toISOString().replace('.000Z', 'Z');
