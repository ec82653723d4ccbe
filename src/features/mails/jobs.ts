import { defineJob, JobRefused } from '#kernel/jobs';
import type { RealmId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { type Mail, MailFault, OWN_MAIL } from '#kernel/mail';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import { readRealm, realmRefOf } from '#features/realms';
import { noteUndelivered } from '#features/undelivered';
import { findUserByEmail, type UserRow } from '#features/users';
import { bounceAddress, isGivenUp, noteFailure } from './bounces.ts';
import { type PlainMail, senderOf, withLayout } from './layout.ts';

/** A mail on its way. */
interface Outgoing extends PlainMail {
  /** Sent although the account of the address has been deactivated: because it has. */
  readonly isLast?: boolean;
}

/**
 * Sends one mail; again later when the mail server is away, never when it would not help. What waits for somebody who has
 * been deactivated is dropped (protocol/users#deactivating, effect 3), and so is what an organization out of use had to
 * say.
 */
export const mailJob = defineJob<Outgoing, Context>(
  'mail',
  (mail, { context, realmId }) => sendNow(context, realmId, mail),
  'slow',
);

/**
 * Hands a mail to the mail server, from a job of the slow lane: throws where trying again may help, and `JobRefused` where not. What a mail tells of
 * may have changed since its cause, so mails about messages are written by jobs of their own right before.
 */
export async function sendNow(
  context: Context,
  realmId: RealmId,
  { isLast = false, ...mail }: Outgoing,
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
    context.log.room('mail').warn({ err: error }, 'a mail can not be sent');
    if (user && error.isUnknownAddress)
      await context.store.of(realmId).write((tx) => noteFailure(context, tx, user.id, error.says));
    throw new JobRefused('the mail server takes no such mail');
  }
}

/** A mail of plain text, as it looks in the organization. */
async function dressed(context: Context, realmId: RealmId, mail: PlainMail): Promise<Mail> {
  const realm = realmRefOf(await context.store.of(realmId).query((tx) => readRealm(tx)));
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
  // What somebody just asked for (a new password) is tried all the same: it can not be unsubscribed from.
  return mail.headers?.['List-Unsubscribe'] !== undefined && (await isGivenUp(tx, user));
}

/** A mail that no program answers (RFC 3834 §5), that is known when it comes back in, and whose failure we hear of. */
function asOurs(context: Context, mail: Mail, user: UserRow | undefined): Mail {
  const bounceTo = user && bounceAddress(context, user);
  const marks = {
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    [OWN_MAIL]: new URL(context.server.externalUrl).hostname,
  };
  return { ...mail, headers: { ...marks, ...mail.headers }, ...(bounceTo !== undefined && { bounceTo }) };
}

/** Stores a mail with the change that is its cause; it leaves soon after the commit, however the process fares. */
export function queueMail(context: Pick<Context, 'jobs'>, tx: RealmWriteTx, mail: Outgoing): Promise<void> {
  return queueMails(context, tx, [mail]);
}

/** Stores many mails with the change that is their cause. */
export function queueMails(
  context: Pick<Context, 'jobs'>,
  tx: RealmWriteTx,
  mails: readonly Outgoing[],
): Promise<void> {
  return context.jobs.enqueueAll(tx, mailJob, mails);
}
