import type { UserId } from '#kernel/ids';
import type { Cause, WriteTx } from '#kernel/store';

/** Longest name of a browser or app that is kept, in UTF-16 units. */
const MAX_USER_AGENT = 200;

/** Whether an administrative operation emitted events without leaving an audit entry. */
export function isForgotten({ trace }: Cause): boolean {
  return trace.emitted && !trace.recorded;
}

/** Work that nobody asked for at that moment: jobs and timers. */
export const SERVER_CAUSE: Cause = {
  kind: 'server',
  userId: null,
  via: '',
  address: '',
  userAgent: '',
  trace: { emitted: false, recorded: false },
};

/** The cause of what a request writes. An operation of the API adds what checks its caller once more. */
export function causeOfRequest(
  actor: { readonly userId: UserId; readonly isBot: boolean } | null,
  via: string,
  address: string,
  userAgent: string | undefined,
): Cause {
  return {
    kind: actor === null ? 'nobody' : actor.isBot ? 'bot' : 'person',
    userId: actor?.userId ?? null,
    via,
    address,
    userAgent: (userAgent ?? '').slice(0, MAX_USER_AGENT),
    trace: { emitted: false, recorded: false },
  };
}

/** The cause of what an operator's command writes. */
export function causeOfCommand(name: string): Cause {
  return { ...SERVER_CAUSE, kind: 'command', via: name };
}

/** The cause of what a transaction writes. */
export function causeOf({ cause }: Pick<WriteTx, 'cause'>): Cause {
  return cause ?? SERVER_CAUSE;
}
