import { readRights } from '#features/groups';
import { queueMail } from '#features/mails';
import { findUser } from '#features/users';
import type { Actor, ActorReadTx } from '#kernel/auth';
import { InsufficientPermission, OwnerRequired } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { isAdministrator, isOwner, Role } from '#kernel/permissions';
import type { RealmWriteTx } from '#kernel/store';
import { announceInvites } from './actions.ts';
import { AdministratorNeeded, InvitationRevoked, NoSuchInvitation } from './errors.ts';
import { keyOf } from './keys.ts';
import { invitationMail, sender } from './mails.ts';
import { findInvitation, revokeInvitation, revokeInvitationsBy } from './queries.ts';
import { assertWithinDay } from './refusals.ts';
import { offerableOf } from './rights.ts';
import type { InvitationRow } from './tables.ts';

/** Revokes an invitation or a link. See protocol/invitations#managing. */
export async function revoke(context: Context, actor: Actor, kind: 'email' | 'link', id: number): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    const row = await findInvitation(tx, kind, id);
    if (!row) throw NoSuchInvitation();
    await assertMayManage(tx, row);
    if (kind === 'link' && row.invitation_state === 'revoked') throw InvitationRevoked();
    if (!(await revokeInvitation(tx, id))) throw NoSuchInvitation();
    announceInvites(tx, row.inviter_id);
  });
}

/**
 * Revokes the invitations of a user whose role became lower than what they offer: with one, the user could regain it.
 */
export async function revokeAbove(tx: RealmWriteTx, inviterId: UserId, role: number): Promise<void> {
  if (await revokeInvitationsBy(tx, inviterId, role)) announceInvites(tx, inviterId);
}

/**
 * Revokes all invitations of a user who is deactivated, and tells administrators if there were any. See
 * protocol/users#deactivating.
 */
export async function revokeAllOf(tx: RealmWriteTx, inviterId: UserId): Promise<void> {
  if (await revokeInvitationsBy(tx, inviterId)) announceInvites(tx, null);
}

/** Mails an invitation again; its expiry does not change. See protocol/invitations#managing. */
export async function resend(context: Context, actor: Actor, id: number): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    const row = await findInvitation(tx, 'email', id);
    if (!row || row.invitation_state !== 'pending' || isOver(row, tx.now)) throw NoSuchInvitation();
    await assertMayManage(tx, row);
    await assertWithinDay(context, tx, 1);
    const inviter = row.inviter_id === null ? undefined : await findUser(tx, row.inviter_id);
    const key = keyOf(context.server.secret, row.key_seed);
    const mail = { inviter: inviter ?? sender(actor), to: row.email ?? '', key };
    await queueMail(tx, invitationMail(tx, mail));
  });
}

/** Whether an invitation has expired. */
export function isOver(row: Pick<InvitationRow, 'expires_at'>, now: number): boolean {
  return row.expires_at !== null && row.expires_at <= now;
}

/**
 * Throws unless the invitation is the caller's own, or the caller is an administrator who could have made it. See
 * protocol/invitations#managing.
 */
async function assertMayManage(tx: ActorReadTx, row: InvitationRow): Promise<void> {
  const { actor } = tx;
  const isOwn = row.inviter_id === actor.userId;
  if (!isOwn && !isAdministrator(actor)) throw AdministratorNeeded();
  if (row.invited_as === Role.owner && !isOwner(actor)) throw OwnerRequired();
  if (isOwn) return;
  const offerable = await offerableOf(tx, await readRights(tx), [row]);
  if (!offerable.has(row)) throw InsufficientPermission();
}
