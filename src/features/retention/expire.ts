import { findChannel } from '#features/channels';
import { deleteMessages } from '#features/message-edits';
import { forgetKeys } from '#features/messages';
import { readRealm, settingsOf } from '#features/realms';
import type { RealmRef } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import type { RealmReadTx } from '#kernel/store';
import { type Conversation, listOldest, listOverdue } from './queries.ts';

/** Messages deleted in one transaction. */
const BATCH = 200;
/** Most transactions of one run, so that others can write between two runs. */
const MAX_BATCHES = 5;

/**
 * Deletes messages whose retention period has ended; returns true if more may be left. See
 * protocol/organizations#retention.
 */
export async function expireMessages(context: Context, realm: RealmRef): Promise<boolean> {
  const overdue = await context.store.in(realm).query(async (tx) => {
    const days = settingsOf(await readRealm(tx)).message_retention_days;
    return listOverdue(tx, days, MAX_BATCHES);
  });
  const queue = [...overdue];
  for (let batches = 0; batches < MAX_BATCHES; batches++) {
    const conversation = queue[0];
    if (!conversation) return overdue.length === MAX_BATCHES;
    if ((await deleteBatch(context, realm, conversation)) < BATCH) queue.shift();
  }
  return true;
}

/** Idempotency keys deleted in one transaction. */
const KEYS = 2000;

/** Deletes idempotency keys of messages that no client sends again; returns true if more may be left. */
export async function expireKeys(context: Context, realm: RealmRef): Promise<boolean> {
  for (let batches = 0; batches < MAX_BATCHES; batches++)
    if ((await context.store.in(realm).write((tx) => forgetKeys(tx, KEYS))) < KEYS) return false;
  return true;
}

/** Deletes the oldest messages of a conversation, with the events of any deletion, and returns how many. */
function deleteBatch(context: Context, realm: RealmRef, conversation: Conversation): Promise<number> {
  return context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    // Read again: somebody may have changed the retention period since.
    const days = await retentionDays(tx, conversation);
    if (days <= 0) return 0;
    const rows = await listOldest(tx, conversation.recipient_id, days, BATCH);
    if (rows.length > 0) await deleteMessages(context, tx, rows);
    return rows.length;
  });
}

/** Days that messages of a conversation are kept; -1 for ever. See protocol/organizations#retention. */
async function retentionDays(tx: RealmReadTx, { channel_id }: Conversation): Promise<number> {
  const channel = channel_id === null ? undefined : await findChannel(tx, channel_id);
  return channel?.message_retention_days ?? settingsOf(await readRealm(tx)).message_retention_days;
}
