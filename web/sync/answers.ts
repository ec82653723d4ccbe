import { CallFailure, isRecord } from '../api/index.ts';
import type { AnyEvent, RegisterState } from '../model/index.ts';
import type { Input, Phase } from './machine.ts';

/** Returns the state in the answer to a registration; throws if it is none. */
export function stateIn(answer: Readonly<Record<string, unknown>>): RegisterState {
  if (isState(answer)) return answer;
  throw new CallFailure('away', { code: 'NOT_JSON', status: 200 });
}

/** Whether an answer has a queue and a position; the slices' declarations guarantee the rest. */
function isState(
  answer: Readonly<Record<string, unknown>>,
): answer is Readonly<Record<string, unknown>> & RegisterState {
  const { queue_id, last_event_id } = answer;
  return typeof last_event_id === 'number' && (typeof queue_id === 'string' || queue_id === null);
}

/**
 * Returns the events of an answer that have an ID, and whether all have one; throws if the answer has no list of
 * events.
 */
export function readableIn(answer: Readonly<Record<string, unknown>>): {
  readonly events: readonly AnyEvent[];
  readonly isWhole: boolean;
} {
  const { events: sent } = answer;
  if (!Array.isArray(sent)) throw new CallFailure('away', { code: 'NOT_JSON', status: 200 });
  const events = sent.filter((one): one is AnyEvent => isRecord(one) && Number.isFinite(one['id']));
  return { events, isWhole: events.length === sent.length };
}

/**
 * Whether an event gives somebody another role: what only some roles see, such as the addresses of others, has no events
 * of its own, so the state is fetched again.
 */
export function changesRoleOf(me: number, { type, person }: AnyEvent): boolean {
  return type === 'realm_user' && isRecord(person) && person['user_id'] === me && person['role'] !== undefined;
}

/** Returns what an error of a phase means for the connection. */
export function inputOf(error: unknown, phase: Phase): Input {
  if (!(error instanceof CallFailure)) return { what: 'failed' };
  if (error.kind === 'signedOut') return { what: 'signedOut', reason: error.code };
  // A queue whose poll is refused cannot be used any more.
  const isRefused = error.kind === 'refused' && error.code !== 'RATE_LIMIT_HIT';
  return { what: isRefused && phase.name === 'polling' ? 'queueGone' : 'failed' };
}
