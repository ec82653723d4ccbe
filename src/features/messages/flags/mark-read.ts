import { accessChannelContent } from '#features/channels';
import type { Actor, ActorReadTx, ActorWriteTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { lockLog, logBatch } from '#kernel/events';
import type { ChannelId, MessageId, UserId } from '#kernel/ids';
import { messagesRead, NoSuchTopic } from '../core/index.ts';
import { findAround } from '../finding/index.ts';
import { askedWithin, type Narrow, resolveNarrow, sentBy, type Term } from '../narrow/index.ts';
import { conversationsOf, listUnreadIn, setAllRead, setRead } from '../reading/index.ts';
import { flagsAdded } from './events.ts';

/** Marks everything read. See protocol/flags#marking-read. */
export function markAllRead(context: Context, actor: Actor): Promise<void> {
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    await setAllRead(tx, await conversationsOf(tx, actor.userId));
    emitRead(tx, [], true);
  }, logBatch(actor.realmId));
}

/** Marks a channel, or one of its topics, read. See protocol/flags#marking-read. */
export function markChannelRead(context: Context, actor: Actor, channelId: ChannelId, topic?: string): Promise<void> {
  return context.store.as(actor).write(async (tx) => {
    const { channel } = await accessChannelContent(tx, channelId);
    await lockLog(tx);
    const terms: Term[] = [{ operator: 'channel', operand: channel.id, negated: false }];
    if (topic !== undefined) terms.push({ operator: 'topic', operand: topic, negated: false });
    const narrow = await resolveNarrow(tx, terms, actor.realm.host);
    if (topic !== undefined && topic !== '') await assertTopic(tx, narrow, topic);
    const unread = await listUnreadIn(tx, askedWithin(narrow.terms));
    if (topic === undefined) await setAllRead(tx, [channel.recipient_id]);
    else await setRead(tx, unread);
    emitRead(tx, unread, false);
    await messagesRead.send(tx, { read: new Map([[actor.userId, unread]]) }, context);
  });
}

/** Throws unless the narrow of a topic has a message for the actor. */
async function assertTopic(tx: ActorReadTx, narrow: Narrow, topic: string): Promise<void> {
  const oldest = { num_before: 0, num_after: 1, include_anchor: true };
  const { ids } = await findAround(tx, narrow, { id: 0 }, oldest);
  if (ids.length === 0) throw NoSuchTopic({ topic });
}

function emitRead(tx: ActorWriteTx, messages: readonly MessageId[], all: boolean): void {
  const audience = { users: [tx.actor.userId] };
  tx.emit(flagsAdded({ operation: 'add', flag: 'read', messages: [...messages], all }, { audience }));
}

/** Marks the messages of a user whom the actor has muted read. See protocol/channels#reading-channels. */
export async function readWhatMutedWrote(
  tx: ActorWriteTx,
  { mutedUserId }: { readonly mutedUserId: UserId },
  context: Context,
): Promise<void> {
  const messageIds = await listUnreadIn(tx, [sentBy(mutedUserId)]);
  if (messageIds.length === 0) return;
  await setRead(tx, messageIds);
  emitRead(tx, messageIds, false);
  await messagesRead.send(tx, { read: new Map([[tx.actor.userId, messageIds]]) }, context);
}
