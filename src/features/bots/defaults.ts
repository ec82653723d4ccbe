import { findChannel } from '#features/channels';
import type { ActorReadTx, ActorWriteTx } from '#kernel/auth';
import type { QueueNarrow } from '#kernel/events';
import type { ChannelId } from '#kernel/ids';
import { isGuest } from '#kernel/permissions';
import { ensureBot, findBots, noteAlert } from './queries.ts';
import { defaultsOfBot } from './read.ts';

/** Seconds between two alerts to a bot's owner that its messages reach nobody. See protocol/messages#addresses. */
const ALERT_SECONDS = 300;

/** Returns the channel that a bot sends to if a message names none. See protocol/messages#addresses. */
export async function sendingChannelOf(tx: ActorReadTx): Promise<ChannelId | null> {
  const { userId } = tx.actor;
  const row = (await findBots(tx, [userId])).get(userId);
  return row?.default_sending_stream_id ?? null;
}

/** Returns what a bot's queue receives if its register request does not say. See protocol/register#parameters. */
export async function queueDefaultsOf(
  tx: ActorReadTx,
): Promise<{ readonly narrow: QueueNarrow; readonly all_public_streams: boolean }> {
  const { actor } = tx;
  const row = (await findBots(tx, [actor.userId])).get(actor.userId);
  const id = row?.default_events_register_stream_id ?? null;
  const channel = id === null ? undefined : await findChannel(tx, id);
  return {
    narrow: channel ? [['stream', channel.name]] : [],
    all_public_streams: row?.default_all_public_streams === true && !isGuest(actor),
  };
}

/**
 * Whether the bot's owner may be alerted now: true if the last alert is long enough ago; true also stores now as its
 * time.
 */
export async function takeAlert(tx: ActorWriteTx, seconds = ALERT_SECONDS): Promise<boolean> {
  const { realmId, userId } = tx.actor;
  await ensureBot(tx, defaultsOfBot(realmId, userId));
  return noteAlert(tx, userId, tx.now - seconds);
}
