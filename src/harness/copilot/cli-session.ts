/**
 * What the records of a Copilot CLI session have told so far: the state that a row is read with.
 *
 * - It begins with `workspace.yaml`; `session.start` and `session.resume` correct it, and
 *   `session.context_changed`, `session.model_change` and `subagent.started` change it.
 * - A record changes the state before its own row is made: the row of a model change has the new
 *   model.
 * - Answers are counted by user turn, and by sub-agent: `session-store.db` numbers its model calls
 *   so. What a person adds while the agent works (`delivery: steering`) begins no turn.
 */

import { isObject, member, textOf } from '../../bytes/json.ts';
import type { SourceContext } from '../harness.ts';
import { nonEmptyText } from '../shared/fields.ts';
import { titleOf, workspaceOf } from './workspace.ts';

/** A sub-agent, as `subagent.started` names it. */
export interface Agent {
  readonly name: string | null;
  readonly title: string | null;
  readonly model: string | null;
}

/** The facts of a session; a new object whenever one changes. */
export interface SessionFacts {
  readonly sessionId: string;
  readonly cwd: string | null;
  readonly branch: string | null;
  readonly repository: string | null;
  readonly commit: string | null;
  readonly version: string | null;
  readonly model: string | null;
  readonly effort: string | null;
  readonly client: string | null;
  readonly producer: string | null;
  readonly title: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly agents: Readonly<Record<string, Agent>>;
}

/** Where in the session a model call stands: the turn of the user, and the call in it, from 0. */
export interface CallPlace {
  readonly turn: number;
  readonly position: number;
}

/** The state of a session: plain JSON. */
export interface CliState {
  facts: SessionFacts;
  turn: number;
  /** Answers since the turn began, or of a sub-agent, by its identifier; '' is the main agent. */
  answers: Record<string, number>;
}

/** The state before the first record. */
export function startSession(context: SourceContext): CliState {
  const workspace = workspaceOf(context);
  const value = (key: string) => workspace.get(key) ?? null;
  const facts: SessionFacts = {
    sessionId: value('id') ?? context.source.sessionId ?? '',
    cwd: value('cwd'),
    branch: value('branch'),
    repository: value('repository'),
    commit: null,
    version: null,
    model: null,
    effort: null,
    client: value('client_name'),
    producer: null,
    title: titleOf(workspace),
    createdAt: value('created_at'),
    updatedAt: value('updated_at'),
    agents: {},
  };
  return { facts, turn: -1, answers: {} };
}

/** Takes in a record; gives its place when it is an answer of the model. */
export function advance(state: CliState, value: unknown): CallPlace | null {
  const data = member(value, 'data');
  const type = member(value, 'type');
  state.facts = factsAfter(state.facts, type, data, agentOf(value));
  const agent = agentOf(value) ?? '';
  if (type === 'user.message' && agent === '' && member(data, 'delivery') !== 'steering') {
    state.turn++;
    state.answers[''] = 0;
  }
  if (type !== 'assistant.message') return null;
  const counted = state.answers[agent] ?? 0;
  state.answers[agent] = counted + 1;
  return { turn: state.turn, position: positionOf(data) ?? counted };
}

/** The sub-agent that a record is about, by the envelope or by the call that launched it. */
export function agentOf(value: unknown): string | null {
  const launchedBy = member(member(value, 'data'), 'parentToolCallId');
  return nonEmptyText(member(value, 'agentId')) ?? nonEmptyText(launchedBy);
}

/** Versions since 1.0 number the calls of a turn in `turnId`; before, it was an identifier. */
function positionOf(data: unknown): number | null {
  const turnId = member(data, 'turnId');
  return typeof turnId === 'string' && /^\d{1,9}$/.test(turnId) ? Number(turnId) : null;
}

function factsAfter(
  facts: SessionFacts,
  type: unknown,
  data: unknown,
  agent: string | null,
): SessionFacts {
  switch (type) {
    case 'session.start':
      return withStart(facts, data);
    case 'session.resume':
      return withContext(withModel(facts, data, 'selectedModel'), member(data, 'context'));
    case 'session.context_changed':
      return withContext(facts, data);
    case 'session.model_change':
      return withModel(facts, data, 'newModel');
    case 'subagent.started':
      return withAgent(facts, data, agent);
    default:
      return facts;
  }
}

function withStart(facts: SessionFacts, data: unknown): SessionFacts {
  const started = withContext(withModel(facts, data, 'selectedModel'), member(data, 'context'));
  return {
    ...started,
    sessionId: nonEmptyText(member(data, 'sessionId')) ?? facts.sessionId,
    version: textOf(member(data, 'copilotVersion')) ?? facts.version,
    producer: textOf(member(data, 'producer')) ?? facts.producer,
    createdAt: facts.createdAt ?? textOf(member(data, 'startTime')),
  };
}

function withModel(facts: SessionFacts, data: unknown, name: string): SessionFacts {
  return {
    ...facts,
    model: textOf(member(data, name)) ?? facts.model,
    effort: textOf(member(data, 'reasoningEffort')) ?? facts.effort,
  };
}

function withContext(facts: SessionFacts, context: unknown): SessionFacts {
  if (!isObject(context)) return facts;
  return {
    ...facts,
    cwd: textOf(context['cwd']) ?? facts.cwd,
    branch: textOf(context['branch']) ?? facts.branch,
    repository: textOf(context['repository']) ?? facts.repository,
    // The commit of another place is not known until it is told.
    commit: textOf(context['headCommit']),
  };
}

function withAgent(facts: SessionFacts, data: unknown, agent: string | null): SessionFacts {
  const id = agent ?? nonEmptyText(member(data, 'toolCallId'));
  if (id === null) return facts;
  const name = textOf(member(data, 'agentName'));
  const title = textOf(member(data, 'agentDisplayName'));
  const model = textOf(member(data, 'model'));
  return { ...facts, agents: { ...facts.agents, [id]: { name, title, model } } };
}
