import type { RealmRefWriteTx } from '#kernel/auth';
import { repeat } from '#kernel/clock';
import { listRealms, realmRefOf } from '#features/realms';
import { isFullMember } from '#features/users';
import { everyoneInRealm, lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import { Role } from '#kernel/permissions';
import { changingMembership } from './membership.ts';
import { groupMembersAdded } from './events.ts';
import { activeUsersByRole } from './members/queries.ts';
import { findAnnouncedUntil, setAnnouncedUntil } from './queries.ts';

/** Milliseconds until the first look, and between two. */
const EVERY_MS = 600_000;

/**
 * Announces people who became full members by waiting, so that clients learn of it without registering again.
 * See protocol/permissions#roles.
 */
export async function announcePromotions(context: Context): Promise<void> {
  const realms = await context.store.query((tx) => listRealms(tx));
  for (const realm of realms.filter((row) => !row.is_deactivated).map((row) => realmRefOf(row, context.server)))
    if (realm.waitingPeriodDays > 0) await context.store.in(realm).write((tx) => announceIn(context, tx));
}

async function announceIn(context: Context, tx: RealmRefWriteTx): Promise<void> {
  await lockLog(tx);
  const asOf = await findAnnouncedUntil(tx);
  if (asOf === undefined) return setAnnouncedUntil(tx, tx.now);
  const members = (await activeUsersByRole(tx)).filter((user) => user.role === Role.member);
  const isFull = (user: (typeof members)[number], at: number) => isFullMember(user, tx.realm.waitingPeriodDays, at);
  const user_ids = members.filter((user) => isFull(user, tx.now) && !isFull(user, asOf)).map((user) => user.id);
  if (user_ids.length === 0) return;
  await setAnnouncedUntil(tx, tx.now);
  const group_id = tx.realm.groups['role:fullmembers'];
  const announce = async () => {
    tx.emit(groupMembersAdded({ group_id, user_ids }, { audience: everyoneInRealm }));
  };
  await changingMembership(context, tx, { groupIds: [group_id], change: announce, asOf });
}

/** Does so now and then while the server runs. Several processes may do it at once. */
export function announceRegularly(context: Context): () => Promise<void> {
  const failed = (error: unknown) =>
    context.log.room('groups').warn({ err: error }, 'full members could not be announced');
  return repeat(context.clock, () => announcePromotions(context), { everyMs: EVERY_MS, failed });
}
