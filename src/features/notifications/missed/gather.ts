import { loadRealm } from '#features/realms';
import type { MessageId, UserId } from '#kernel/ids';
import { defineJob, enqueue } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import type { Trigger } from '../rules.ts';
import { lettersFor, queueLetters } from './letters.ts';
import { deleteMissed, firstDue, gatheringFor, insertMissed } from '../pending/index.ts';
import { readMissed } from './select.ts';

/** A message for a user's next mail. */
export interface Missing {
  readonly messageId: MessageId;
  readonly userId: UserId;
  readonly reason: Trigger;
  /** Seconds that messages are gathered for this user before a mail is sent. */
  readonly seconds: number;
}

/** Seconds after which the job checks again, in case two processes set its time at once and overlooked each other. */
const MAX_PAUSE_SECONDS = 300;
/** Key of the job, of which each organization has one. */
const KEY = 'mails';

/**
 * Queues the mails of the user whose mail is due first, and schedules the next run. The same transaction deletes the
 * gathered messages, so that no mail is lost or sent twice.
 */
export const missedMailJob = defineJob<null, Context>('missed-mail', async (_payload, { context, realmId, finish }) => {
  const realm = await loadRealm(context, realmId);
  const due = await context.store.in(realm).read(async (tx) => {
    const first = await firstDue(tx);
    if (!first || first.due_at > tx.now) return undefined;
    const { rows, missed } = await readMissed(tx, first.user_id);
    const letters = missed ? await lettersFor(context, tx, { ...missed, rows }) : [];
    return { userId: first.user_id, ids: rows.map((row) => row.message_id), letters };
  });
  await context.store.of(realmId).write(async (tx) => {
    await finish(tx);
    if (due) await deleteMissed(tx, due.userId, due.ids);
    if (due) await queueLetters(tx, due.letters);
    await setTime(tx);
  });
});

/** Adds messages to the users' next mails, in the transaction that decided to. */
export async function gather(tx: RealmWriteTx, missing: readonly Missing[]): Promise<void> {
  if (missing.length === 0) return;
  const ids = [...new Set(missing.map(({ userId }) => userId))];
  const gathering = await gatheringFor(tx, ids);
  const rows = missing.map(({ messageId: message_id, userId: user_id, reason, seconds }) => {
    const due_at = gathering.get(user_id) ?? tx.now + seconds;
    return { realm_id: tx.realmId, user_id, message_id, reason, due_at };
  });
  await insertMissed(tx, rows);
  // The job's time needs to change only for a user who had no gathered messages.
  if (gathering.size < ids.length) await setTime(tx);
}

async function setTime(tx: RealmWriteTx): Promise<void> {
  const first = await firstDue(tx);
  if (!first) return;
  const runAt = Math.min(first.due_at, tx.now + MAX_PAUSE_SECONDS);
  await enqueue(tx, missedMailJob, null, { key: KEY, runAt });
}
