import type { WireMutedUser } from './wire.ts';

/** A client's state about muted users. */
interface MutedUsersState {
  readonly muted_users: readonly WireMutedUser[];
}

/** The muted users after an event, which contains all of them. */
export function applyMutedUsersEvent(_state: MutedUsersState, { muted_users }: MutedUsersState): MutedUsersState {
  return { muted_users };
}
