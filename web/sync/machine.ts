import type { AnyEvent, RegisterState } from '../model/index.ts';

/** What the polling tab is doing. */
export type Phase =
  | { readonly name: 'registering'; readonly attempt: number }
  /** `isCatchingUp`: fetches the existing events without waiting for new ones. */
  | { readonly name: 'polling'; readonly queueId: string; readonly isCatchingUp: boolean; readonly attempt: number }
  /** Tries again at `until`, in milliseconds since 1970. */
  | { readonly name: 'waiting'; readonly until: number; readonly attempt: number; readonly queueId: string | undefined }
  /** A visitor without an account, who has a state, but no queue. */
  | { readonly name: 'reading' }
  | { readonly name: 'signedOut'; readonly reason: string };

/** An input of the polling tab's state machine. */
export type Input =
  | { readonly what: 'registered'; readonly state: RegisterState }
  | { readonly what: 'events'; readonly events: readonly AnyEvent[] }
  | { readonly what: 'queueGone' }
  | { readonly what: 'signedOut'; readonly reason: string }
  | { readonly what: 'failed' }
  /** The wait is over, the network is back, or the person asked to try now. */
  | { readonly what: 'woken' };

export interface Situation {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** At least 0, less than 1. */
  readonly chance: number;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** Returns the first phase: with the stored queue, or without one. */
export function first(queueId: string | undefined): Phase {
  return queueId === undefined
    ? { name: 'registering', attempt: 0 }
    : { name: 'polling', queueId, isCatchingUp: true, attempt: 0 };
}

/** Returns the next phase. Pure: the same arguments give the same phase. */
export function next(phase: Phase, input: Input, situation: Situation): Phase {
  if (phase.name === 'signedOut') return phase;
  switch (input.what) {
    case 'registered': {
      const { queue_id } = input.state;
      if (queue_id === null) return { name: 'reading' };
      return { name: 'polling', queueId: queue_id, isCatchingUp: true, attempt: 0 };
    }
    case 'events':
      return phase.name === 'polling' ? { ...phase, isCatchingUp: false, attempt: 0 } : phase;
    case 'queueGone':
      return { name: 'registering', attempt: 0 };
    case 'signedOut':
      return { name: 'signedOut', reason: input.reason };
    case 'failed':
      return waiting(phase, situation);
    case 'woken':
      return woken(phase);
  }
}

function waiting(phase: Phase, { now, chance }: Situation): Phase {
  if (phase.name !== 'registering' && phase.name !== 'polling') return phase;
  const attempt = phase.attempt + 1;
  const most = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  // Jitter, so that the clients of a restarted server do not all reconnect at once.
  const until = now + most / 2 + (most / 2) * chance;
  return { name: 'waiting', until, attempt, queueId: phase.name === 'polling' ? phase.queueId : undefined };
}

function woken(phase: Phase): Phase {
  if (phase.name === 'polling') return { ...phase, isCatchingUp: true };
  if (phase.name !== 'waiting') return phase;
  const { queueId, attempt } = phase;
  return queueId === undefined
    ? { name: 'registering', attempt }
    : { name: 'polling', queueId, isCatchingUp: true, attempt };
}
