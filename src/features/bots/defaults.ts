import { findChannel } from '#features/channels';
import type { ActorReadTx, ActorWriteTx } from '#kernel/auth';
import type { QueueNarrow } from '#kernel/events';
import type { ChannelId } from '#kernel/ids';
import { isGuest } from '#kernel/permissions';
import { ensureBot, findBots, noteAlert } from './queries.ts';
import { defaultsOfBot } from './read.ts';

/**
 * Seconds in which the owner of a bot is told at most once that its messages go nowhere.
 * See protocol/messages#addresses.
 */
const ALERT_SECONDS = 300;

/** The channel that a bot sends to unless it names one. See protocol/messages#addresses. */
export async function sendingChannelOf(tx: ActorReadTx): Promise<ChannelId | null> {
  const { userId } = tx.actor;
  const row = (await findBots(tx, [userId])).get(userId);
  return row?.default_sending_stream_id ?? null;
}

/** What a bot's queue receives unless the bot says otherwise. See protocol/register#parameters. */
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

/** Whether the owner may be told now of trouble with the bot, not having been for a while; a yes counts as having told. */
export async function takeAlert(tx: ActorWriteTx, seconds = ALERT_SECONDS): Promise<boolean> {
  const { realmId, userId } = tx.actor;
  await ensureBot(tx, defaultsOfBot(realmId, userId));
  return noteAlert(tx, userId, tx.now - seconds);
}
