import type { RealmRefWriteTx } from '#kernel/auth';
import { type Audience, hasHeldLog } from '#kernel/events';
import type { MessageId } from '#kernel/ids';
import { inTurn } from '#kernel/lists';
import type { RealmWriteTx } from '#kernel/store';
import { knowersOf, knowersOfEach } from './audience.ts';
import { channelChanged } from '../events.ts';
import { type ChannelRow, setFirstMessages, setNewestMessage } from '../core/index.ts';

/**
 * Age in seconds up to which the stored time of the newest message is not updated; it only serves to detect months of
 * silence.
 */
const NOTED_EVERY_SECONDS = 3600;

/**
 * Recomputes the first messages of channels, and notifies everybody who may know of these channels; a few statements
 * for all of them. See protocol/events#delete_message.
 */
export async function renewFirstMessages(tx: RealmRefWriteTx, channels: readonly ChannelRow[]): Promise<void> {
  if (channels.length === 0) return;
  const firsts = await setFirstMessages(
    tx,
    channels.map((channel) => channel.id),
  );
  const knowers = inTurn(await knowersOfEach(tx, channels));
  for (const channel of channels)
    tellChange(tx, channel, knowers(), { property: 'first_message_id', value: firsts.get(channel.id) ?? null });
}

/**
 * Records a new message of a channel. If it is the first message, or the channel was not recently active, an event
 * tells everybody who may know of the channel; for every other message this is one statement, or none. See
 * protocol/channels#activity.
 */
export async function touchChannel(tx: RealmRefWriteTx, channel: ChannelRow, messageId: MessageId): Promise<void> {
  if (hasHeldLog(tx) && isNotedBy(tx.now, channel)) return;
  const first = await setNewestMessage(tx, channel.id, messageId);
  if (first !== messageId && channel.is_recently_active) return;
  const knowers = await knowersOf(tx, channel);
  if (first === messageId) tellChange(tx, channel, knowers, { property: 'first_message_id', value: first });
  if (!channel.is_recently_active) tellChange(tx, channel, knowers, { property: 'is_recently_active', value: true });
}

/**
 * Whether a message sent now would change nothing in the channel's row. The log is held, so no other transaction
 * can be changing the row.
 */
function isNotedBy(now: number, channel: ChannelRow): boolean {
  return (
    channel.first_message_id !== null &&
    channel.is_recently_active &&
    now - channel.last_message_at < NOTED_EVERY_SECONDS
  );
}

function tellChange(
  tx: RealmWriteTx,
  { id, name }: ChannelRow,
  audience: Audience,
  change: { readonly property: string; readonly value: number | boolean | null },
): void {
  tx.emit(channelChanged({ stream_id: id, name, ...change }, { audience }));
}
