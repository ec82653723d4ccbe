import { keepReply, newReplyToken, sendNow } from '#features/mails';
import type { MessageRow } from '#features/messages';
import type { UserRow } from '#features/users';
import type { Context } from '#kernel/context';
import type { MessageId, UserId } from '#kernel/ids';
import { defineJob } from '#kernel/jobs';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import { realmOf } from '../push/index.ts';
import type { Trigger } from '../rules.ts';
import { composeLetter, inLetters } from './compose.ts';
import { stillMissed } from './select.ts';
import type { MissedRow } from '../pending/index.ts';

/** A mail that is to leave: what it may tell of, and why. */
interface LetterJob {
  readonly user_id: UserId;
  readonly missed: readonly (readonly [messageId: MessageId, reason: Trigger])[];
  /** The address by which it is answered, the same however often it is tried. */
  readonly reply_token: string;
}

/**
 * Sends a mail about missed messages. It is written when it leaves, at each try anew: the mail server may have been away for
 * hours, and of what was read, deleted or hidden meanwhile nothing is told. Nobody gets one that would say nothing.
 */
export const missedLetterJob = defineJob<LetterJob, Context>(
  'missed-mail-letter',
  async ({ user_id, missed, reply_token }, { context, realmId }) => {
    const realm = await realmOf(context, realmId);
    const letter = await context.store.in(realm).read(async (tx) => {
      const rows = missed.map(([message_id, reason]) => ({ message_id, reason }));
      const { user, messages } = await stillMissed(tx, user_id, rows);
      return user && messages.length > 0 ? composeLetter(context, tx, user, messages, reply_token) : undefined;
    });
    if (!letter) return;
    const { mail, reply } = letter;
    if (reply) await context.store.of(realmId).write((tx) => keepReply(tx, reply));
    await sendNow(context, realmId, mail);
  },
  'slow',
);

/** What is stored of the mails about what somebody missed. */
export async function lettersFor(
  { clock }: Pick<Context, 'clock'>,
  tx: RealmReadTx,
  user: UserRow,
  rows: readonly MissedRow[],
  messages: readonly MessageRow[],
): Promise<readonly LetterJob[]> {
  const reasons = new Map(rows.map(({ message_id, reason }) => [message_id, reason]));
  const parts = await inLetters(tx, user, messages);
  return parts.map((part) => ({
    user_id: user.id,
    missed: part.flatMap(({ id }) => {
      const reason = reasons.get(id);
      return reason === undefined ? [] : [[id, reason] as const];
    }),
    reply_token: newReplyToken(clock),
  }));
}

/** Stores mails in the transaction that forgets what they tell of. */
export function queueLetters(
  context: Pick<Context, 'jobs'>,
  tx: RealmWriteTx,
  letters: readonly LetterJob[],
): Promise<void> {
  return context.jobs.enqueueAll(tx, missedLetterJob, letters);
}
