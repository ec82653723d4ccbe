import { loadRealm } from '#features/realms';
import { BULK, keepReply, newReplyToken, sendNow } from '#features/mails';
import type { Context } from '#kernel/context';
import type { MessageId, UserId } from '#kernel/ids';
import { defineJob, enqueueAll } from '#kernel/jobs';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import type { Trigger } from '../rules.ts';
import { composeLetter, inLetters } from './compose.ts';
import { type Missed, stillMissed } from './select.ts';
import type { MissedRow } from '../pending/index.ts';

/** A mail in the queue: the messages it may show, and the reason for each. */
interface LetterJob {
  readonly user_id: UserId;
  readonly missed: readonly (readonly [messageId: MessageId, reason: Trigger])[];
  /** Token of the address for answers, the same at each attempt. */
  readonly reply_token: string;
}

/**
 * Sends a mail about missed messages. It is composed when it is sent, again at each attempt: the mail server may have
 * been unreachable for hours, and messages that were read, deleted or hidden since are left out. An empty mail is not
 * sent.
 */
export const missedLetterJob = defineJob<LetterJob, Context>(
  'missed-mail-letter',
  async ({ user_id, missed, reply_token }, { context, realmId }) => {
    const realm = await loadRealm(context, realmId);
    const letter = await context.store.in(realm).read(async (tx) => {
      const rows = missed.map(([message_id, reason]) => ({ message_id, reason }));
      const still = await stillMissed(tx, user_id, rows);
      return still && composeLetter(context, tx, still, reply_token);
    });
    if (!letter) return;
    const { mail, reply } = letter;
    if (reply) await context.store.of(realmId).write((tx) => keepReply(tx, reply));
    await sendNow(context, realmId, mail);
  },
  'slow',
  BULK,
);

/** The queue entries for mails about the messages somebody missed. */
export async function lettersFor(
  { clock }: Pick<Context, 'clock'>,
  tx: RealmReadTx,
  { user, rows, messages }: Missed & { readonly rows: readonly MissedRow[] },
): Promise<readonly LetterJob[]> {
  const reasons = new Map(rows.map(({ message_id, reason }) => [message_id, reason]));
  const parts = await inLetters(tx, { user, messages });
  return parts.map((part) => ({
    user_id: user.id,
    missed: part.flatMap(({ id }) => {
      const reason = reasons.get(id);
      return reason === undefined ? [] : [[id, reason] as const];
    }),
    reply_token: newReplyToken(clock),
  }));
}

/** Queues mails, in the transaction that deletes the gathered messages. */
export function queueLetters(tx: RealmWriteTx, letters: readonly LetterJob[]): Promise<void> {
  return enqueueAll(tx, missedLetterJob, letters);
}
