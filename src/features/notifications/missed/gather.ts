import type { MessageId, UserId } from '#kernel/ids';
import { defineJob } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { realmOf } from '../push/index.ts';
import type { Trigger } from '../rules.ts';
import { lettersFor, queueLetters } from './letters.ts';
import { deleteMissed, firstDue, gatheringFor, insertMissed } from '../pending/index.ts';
import { readMissed } from './select.ts';

/** Somebody who is to get a message by mail. */
export interface Missing {
  readonly messageId: MessageId;
  readonly userId: UserId;
  readonly reason: Trigger;
  /** Seconds that messages are gathered for them before a mail leaves. */
  readonly seconds: number;
}

/** Seconds after which the job looks again, lest two processes that set its time at once had missed each other. */
const MAX_PAUSE_SECONDS = 300;
/** An organization has one such job. */
const KEY = 'mails';

/**
 * Stores the mails of the people whose mail is due first, and sets the time for the next. They are stored in the transaction that
 * forgets what they tell of, so none is lost or made twice.
 */
export const missedMailJob = defineJob<null, Context>('missed-mail', async (_payload, { context, realmId, finish }) => {
  const realm = await realmOf(context, realmId);
  const due = await context.store.in(realm).read(async (tx) => {
    const first = await firstDue(tx);
    if (!first || first.due_at > tx.now) return undefined;
    const { rows, user, messages } = await readMissed(tx, first.user_id);
    const letters = user ? await lettersFor(context, tx, user, rows, messages) : [];
    return { userId: first.user_id, ids: rows.map((row) => row.message_id), letters };
  });
  await context.store.of(realmId).write(async (tx) => {
    await finish(tx);
    if (due) await deleteMissed(tx, due.userId, due.ids);
    if (due) await queueLetters(context, tx, due.letters);
    await setTime(context, tx);
  });
});

/** Adds messages to the mails of these people, in the transaction that decided so. */
export async function gather(context: Context, tx: RealmWriteTx, missing: readonly Missing[]): Promise<void> {
  if (missing.length === 0) return;
  const ids = [...new Set(missing.map(({ userId }) => userId))];
  const gathering = await gatheringFor(tx, ids);
  const rows = missing.map(({ messageId: message_id, userId: user_id, reason, seconds }) => {
    const due_at = gathering.get(user_id) ?? tx.now + seconds;
    return { realm_id: tx.realmId, user_id, message_id, reason, due_at };
  });
  await insertMissed(tx, rows);
  // A person with a mail under way has a time already.
  if (gathering.size < ids.length) await setTime(context, tx);
}

async function setTime(context: Context, tx: RealmWriteTx): Promise<void> {
  const first = await firstDue(tx);
  if (!first) return;
  const runAt = Math.min(first.due_at, tx.now + MAX_PAUSE_SECONDS);
  await context.jobs.enqueue(tx, missedMailJob, null, { key: KEY, runAt });
}
