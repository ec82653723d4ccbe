import { createHmac } from 'node:crypto';
import { findUser, type UserRow } from '#features/users';
import { constantTimeEqual } from '#kernel/auth';
import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { asId, type RealmId, type UserId } from '#kernel/ids';
import { mailAddressFor } from '#kernel/mail';
import { signal } from '#kernel/slice';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import { deleteFailure, findFailure, upsertFailure } from './queries.ts';
import type { MailFailureRow } from './tables.ts';

/** An address gets no further mails, because too many were returned. */
export const addressGivenUp = signal<{ readonly userId: UserId; readonly reason: string }>('address-given-up');

/** Number of days with permanent failures after which an address gets no further mails. */
const MAX_FAILURES = 3;
/** Seconds after which fewer failures are forgotten. */
const FORGIVEN_SECONDS = 30 * SECONDS_PER_DAY;
const MAX_REASON = 200;
const LOCAL = /^b([0-9a-z]{1,8})-([0-9a-z]{1,8})-([0-9a-f]{20})$/;

/** The return address of mails to somebody; undefined if the server receives no mail. */
export function bounceAddress(
  { server }: Pick<Context, 'server'>,
  { realm_id, id }: Pick<UserRow, 'realm_id' | 'id'>,
): string | undefined {
  const { mailInAddress, secret } = server;
  if (mailInAddress === undefined) return undefined;
  const local = `b${realm_id.toString(36)}-${id.toString(36)}-${proofOf(secret, realm_id, id)}`;
  return mailAddressFor(mailInAddress, local);
}

/**
 * The recipient of a returned mail, by the text in place of the asterisk; only this server can make such an address.
 */
export function bouncedIn(
  { server }: Pick<Context, 'server'>,
  local: string,
): { readonly realmId: RealmId; readonly userId: UserId } | undefined {
  const [, realm = '', user = '', proof = ''] = LOCAL.exec(local) ?? [];
  const realmId = asId<RealmId>(Number.parseInt(realm, 36));
  const userId = asId<UserId>(Number.parseInt(user, 36));
  return constantTimeEqual(proof, proofOf(server.secret, realmId, userId)) ? { realmId, userId } : undefined;
}

function proofOf(secret: string, realmId: RealmId, userId: UserId): string {
  return createHmac('sha256', secret).update(`mail-bounce:${realmId}:${userId}`).digest('hex').slice(0, 20);
}

/** Whether the address of an account gets no further mails. */
export async function isGivenUp(tx: RealmReadTx, user: UserRow): Promise<boolean> {
  const row = await findFailure(tx, user.id);
  return row !== undefined && row.email === user.email && isOver(row);
}

/** Whether there were so many failures that no further mails are sent. */
export function isOver({ failures }: Pick<MailFailureRow, 'failures'>): boolean {
  return failures >= MAX_FAILURES;
}

/**
 * Records a permanent failure of a mail to an account; at most one a day counts, so that a single bad day of its mail
 * server does no harm.
 */
export async function noteFailure(context: Context, tx: RealmWriteTx, userId: UserId, says: string): Promise<void> {
  const user = await findUser(tx, userId);
  if (!user || user.is_bot) return;
  const known = await findFailure(tx, userId);
  const isOld = known !== undefined && !isOver(known) && tx.now - known.last_at > FORGIVEN_SECONDS;
  const before = known?.email === user.email && !isOld ? known : undefined;
  const isNew = before === undefined || tx.now - before.last_at >= SECONDS_PER_DAY;
  const failures = (before?.failures ?? 0) + (isNew ? 1 : 0);
  const reason = says.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, MAX_REASON);
  const times = { first_at: before?.first_at ?? tx.now, last_at: isNew ? tx.now : (before?.last_at ?? tx.now) };
  await upsertFailure(tx, { realm_id: tx.realmId, user_id: userId, email: user.email, failures, ...times, reason });
  if (isNew && failures === MAX_FAILURES) await addressGivenUp.send(tx, { userId, reason }, context);
}

/** Allows mails to an address again. */
export const forgetFailures = deleteFailure;
