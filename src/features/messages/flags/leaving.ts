import type { MessageId, RecipientId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import type { ChannelRow } from '#features/channels';
import { setAllReadBy, unreadBy } from '../reading/index.ts';
import { messagesRead } from '../core/index.ts';
import { flagsAdded } from './events.ts';

interface Leaving {
  readonly unsubscribed: readonly { readonly userId: UserId; readonly channel: ChannelRow }[];
}

/** The unread messages of a user in a channel that they leave. */
interface Left {
  readonly userId: UserId;
  readonly recipientId: RecipientId;
  readonly messages: MessageId[];
}

/**
 * Marks channels read for users who leave them, with the same number of statements for any number of users. See
 * protocol/events#update_message_flags.
 */
export async function readWhatIsLeft(tx: RealmWriteTx, { unsubscribed }: Leaving, context: Context): Promise<void> {
  const left = await listLeft(tx, unsubscribed);
  if (left.length === 0) return;
  await setAllReadBy(tx, grouped(left.map((one) => [one.userId, one.recipientId])));
  for (const { users, messages } of alike(left))
    tx.emit(flagsAdded({ operation: 'add', flag: 'read', messages, all: false }, { audience: { users } }));
  const read = left.flatMap(({ userId, messages }) => messages.map((id) => [userId, id] as const));
  await messagesRead.send(tx, { read: grouped(read) }, context);
}

async function listLeft(tx: RealmWriteTx, unsubscribed: Leaving['unsubscribed']): Promise<readonly Left[]> {
  const left = new Map<string, Left>(
    unsubscribed.map(({ userId, channel: { recipient_id: recipientId } }) => [
      `${userId}:${recipientId}`,
      { userId, recipientId, messages: [] },
    ]),
  );
  const userIds = [...new Set(unsubscribed.map(({ userId }) => userId))];
  const recipientIds = [...new Set(unsubscribed.map(({ channel }) => channel.recipient_id))];
  for await (const rows of unreadBy(tx, userIds, recipientIds))
    for (const row of rows) left.get(`${row.user_id}:${row.recipient_id}`)?.messages.push(row.id);
  return [...left.values()]
    .filter(({ messages }) => messages.length > 0)
    .map((one) => ({ ...one, messages: one.messages.toSorted((a, b) => a - b) }));
}

/** Users with the same unread messages share an event. */
function alike(left: readonly Left[]): Iterable<{ readonly users: UserId[]; readonly messages: MessageId[] }> {
  const groups = new Map<string, { users: UserId[]; messages: MessageId[] }>();
  for (const { userId, messages } of left) {
    const group = groups.get(messages.join());
    if (group) group.users.push(userId);
    else groups.set(messages.join(), { users: [userId], messages });
  }
  return groups.values();
}
