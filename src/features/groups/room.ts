import type { ActorReadTx } from '#kernel/auth';
import { SECONDS_PER_DAY } from '#kernel/clock';
import { isAdministrator } from '#kernel/permissions';
import {
  MAX_GROUPS,
  MAX_GROUPS_A_DAY,
  MEMBERS_PER_ACCOUNT,
  MIN_MEMBERS_IN_ALL,
  OnlyAdministratorsAddMore,
  SHARE_OF_OTHERS,
  TooManyGroups,
  TooManyMembers,
} from './errors.ts';
import { countMembers } from './members/queries.ts';
import { countGroups } from './queries.ts';

/** Throws unless one more group may be in use, and the caller may make one where it is new. */
export async function assertRoomForGroup(tx: ActorReadTx, { isNew }: { readonly isNew: boolean }): Promise<void> {
  const { used, made } = await countGroups(tx, tx.now - SECONDS_PER_DAY);
  const isTooMuchToday = isNew && !isAdministrator(tx.actor) && made >= MAX_GROUPS_A_DAY;
  if (used >= MAX_GROUPS || isTooMuchToday) throw TooManyGroups();
}

/**
 * Throws unless the groups may have so many more members and subgroups: everybody who registers gets all of them. The
 * last half is for administrators.
 */
export async function assertRoomForMembers(tx: ActorReadTx, more: number): Promise<void> {
  if (more <= 0) return;
  const { members, accounts } = await countMembers(tx);
  const max = Math.max(MIN_MEMBERS_IN_ALL, accounts * MEMBERS_PER_ACCOUNT);
  if (members + more > max) throw TooManyMembers({ max });
  const maxOfOthers = Math.floor(max * SHARE_OF_OTHERS);
  if (!isAdministrator(tx.actor) && members + more > maxOfOthers) throw OnlyAdministratorsAddMore({ max: maxOfOthers });
}
