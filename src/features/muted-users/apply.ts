import type { WireMutedUser } from './wire.ts';

/** What a client keeps of muted users. */
interface MutedUsersState {
  readonly muted_users: readonly WireMutedUser[];
}

/** The muted users after an event, which brings all of them. */
export function applyMutedUsersEvent(_state: MutedUsersState, { muted_users }: MutedUsersState): MutedUsersState {
  return { muted_users };
}
