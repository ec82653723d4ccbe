import { defineJob, enqueueAll, JobRefused } from '#kernel/jobs';
import type { RealmId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { type Mail, MailFault, OWN_MAIL } from '#kernel/mail';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import { loadRealm, readRealm } from '#features/realms';
import { noteUndelivered } from '#features/undelivered';
import { findUserByEmail, type UserRow } from '#features/users';
import { bounceAddress, isGivenUp, noteFailure } from './bounces.ts';
import { type PlainMail, senderOf, withLayout } from './layout.ts';

/** A mail in the queue. */
interface Outgoing extends PlainMail {
  /** Send it although the account was deactivated, because it is about that. */
  readonly isLast?: boolean;
  /** It is one of many, which leave workers to single ones. */
  readonly isBulk?: boolean;
}

/** Mails queued together that count as many. */
const MANY = 10;
/** Party of the jobs that send mails to many: letters about missed messages, digests, invitations. */
export const BULK = { partyOf: () => 'bulk' } as const;

/**
 * Sends one mail; tries again if the mail server is unreachable, but not after a permanent error. Mails to somebody who
 * was deactivated are dropped (protocol/users#deactivating, effect 3), and so are mails of a deactivated organization.
 */
export const mailJob = defineJob<Outgoing, Context>(
  'mail',
  (mail, { context, realmId }) => sendNow(context, realmId, mail),
  'slow',
  { partyOf: ({ isBulk = false }) => (isBulk ? BULK.partyOf() : undefined) },
);

/**
 * Hands a mail to the mail server, from a job of the slow lane. Throws if another attempt may succeed, and `JobRefused`
 * if not. Mails about messages are composed by their own jobs right before, because the messages may have changed
 * since.
 */
export async function sendNow(
  context: Context,
  realmId: RealmId,
  { isLast = false, isBulk: _isBulk, ...mail }: Outgoing,
): Promise<void> {
  const user = await context.store.of(realmId).query((tx) => findUserByEmail(tx, mail.to.address));
  if (await context.store.of(realmId).query((tx) => isUnwanted(tx, mail, user, isLast))) return;
  try {
    const whole = mail.html === undefined ? await dressed(context, realmId, mail) : mail;
    await context.mail.sendMail(asOurs(context, whole, user));
    countOf(context).inc({ outcome: 'sent' });
  } catch (error) {
    const isRefused = error instanceof MailFault && error.isPermanent;
    countOf(context).inc({ outcome: isRefused ? 'refused' : 'later' });
    const reason = isRefused ? 'refused' : 'unreachable';
    await context.store.of(realmId).write((tx) => noteUndelivered(context, tx, [{ road: 'mail', reason }]));
    if (!isRefused) throw error;
    context.log.room('mail').warn({ err: error }, 'a mail cannot be sent');
    if (user && error.isUnknownAddress)
      await context.store.of(realmId).write((tx) => noteFailure(context, tx, user.id, error.says));
    throw new JobRefused('the mail server takes no such mail');
  }
}

/** A plain-text mail in the organization's layout. */
async function dressed(context: Context, realmId: RealmId, mail: PlainMail): Promise<Mail> {
  const realm = await loadRealm(context, realmId);
  return withLayout(mail, senderOf(context, realm));
}

function countOf({ metrics }: Context) {
  const about = 'Mails, by what became of each attempt: sent, later (tried again), refused (given up)';
  return metrics.counter('roost_mails_total', about, ['outcome']);
}

async function isUnwanted(tx: RealmReadTx, mail: Mail, user: UserRow | undefined, isLast: boolean): Promise<boolean> {
  if ((await readRealm(tx)).is_deactivated) return true;
  if (!user) return false;
  if (!user.is_active) return !isLast;
  // A mail that somebody just asked for (a new password) is sent all the same; it has no unsubscribe link.
  return mail.headers?.['List-Unsubscribe'] !== undefined && (await isGivenUp(tx, user));
}

/**
 * A mail with headers that suppress automatic replies (RFC 3834 §5), that identify it when it is returned, and that
 * report failures to this server.
 */
function asOurs(context: Context, mail: Mail, user: UserRow | undefined): Mail {
  const bounceTo = user && bounceAddress(context, user);
  const marks = {
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    [OWN_MAIL]: new URL(context.server.externalUrl).hostname,
  };
  return { ...mail, headers: { ...marks, ...mail.headers }, ...(bounceTo !== undefined && { bounceTo }) };
}

/**
 * Queues a mail in the transaction of the change that causes it; it is sent soon after the commit, even after a crash.
 */
export function queueMail(tx: RealmWriteTx, mail: Outgoing): Promise<void> {
  return queueMails(tx, [mail]);
}

/** Queues many mails in the transaction of the change that causes them. */
export function queueMails(tx: RealmWriteTx, mails: readonly Outgoing[]): Promise<void> {
  const isBulk = mails.length > MANY;
  return enqueueAll(
    tx,
    mailJob,
    mails.map((mail) => (isBulk ? { ...mail, isBulk } : mail)),
  );
}
