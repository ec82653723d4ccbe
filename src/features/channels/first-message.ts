import type { RealmRef } from '#kernel/auth';
import type { MessageId } from '#kernel/ids';
import type { WriteTx } from '#kernel/store';
import { knowersOf } from './audience.ts';
import { channelChanged } from './events.ts';
import { setFirstMessage, setNewestMessage } from './queries.ts';
import type { ChannelRow } from './tables.ts';

/** How old the noted time of the newest message may be, in seconds; it tells months of silence only. */
const NOTED_EVERY_SECONDS = 3600;

/** Stores which message of a channel is now the first, and tells everybody who may know of it. Contract register 4.4.4. */
export async function announceFirstMessage(
  tx: WriteTx,
  realm: RealmRef,
  channel: ChannelRow,
  first: MessageId | null,
): Promise<void> {
  await setFirstMessage(tx, realm.id, channel.id, first);
  await announceChange(tx, realm, channel, 'first_message_id', first);
}

/**
 * Notes a new message of a channel. Everybody who may know of the channel is told when it is the first one, or when the
 * channel had been quiet for long; for every other message this is one statement, or none. Contract surrounding 2.19.
 *
 * Contract register 7 says that nobody need be told of the first message, because clients derive it from the message;
 * but who may know of a channel without receiving its messages cannot, and register 5.1 lets no change of what was
 * registered go untold. To those who could derive it the event says nothing new.
 */
export async function touchChannel(
  tx: WriteTx,
  realm: RealmRef,
  channel: ChannelRow,
  messageId: MessageId,
): Promise<void> {
  if (tx.dialect.isSerial && isNotedBy(tx.now, channel)) return;
  const first = await setNewestMessage(tx, realm.id, channel.id, messageId);
  if (first === messageId) await announceChange(tx, realm, channel, 'first_message_id', first);
  if (!channel.is_recently_active) await announceChange(tx, realm, channel, 'is_recently_active', true);
}

/** Whether a channel's row, which nobody else can be changing, says as much as a message of now could add. */
function isNotedBy(now: number, channel: ChannelRow): boolean {
  return (
    channel.first_message_id !== null &&
    channel.is_recently_active &&
    now - channel.last_message_at < NOTED_EVERY_SECONDS
  );
}

async function announceChange(
  tx: WriteTx,
  realm: RealmRef,
  channel: ChannelRow,
  property: string,
  value: number | boolean | null,
): Promise<void> {
  const payload = { stream_id: channel.id, name: channel.name, property, value };
  tx.emit(channelChanged(realm.id, payload, { audience: await knowersOf(tx, realm, channel) }));
}
