import { type ChannelRow, channelUpdated, listSubscriptionsOf, peopleUnsubscribed } from '#features/channels';
import { findUsers } from '#features/users';
import type { ChannelId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { isAdministrator } from '#kernel/permissions';
import { on } from '#kernel/slice';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import { announceSettings } from './apply-change.ts';
import { botsByDefaultOf, clearDefaults } from './queries.ts';
import { type Bot, readBots } from './read.ts';

/**
 * Bots show their default channels by name: a new name is announced, and a private channel is cleared if the owner has
 * no access.
 */
export const channelFollowers = [
  on(channelUpdated, async (tx, { before, after }, context) => {
    if (before.name !== after.name) await rename(context, tx, before, after);
    if (after.invite_only && !before.invite_only) await forget(context, tx, after);
  }),
  on(peopleUnsubscribed, async (tx, { unsubscribed }, context) => {
    const left = new Map(unsubscribed.map(({ channel }) => [channel.id, channel]));
    for (const channel of left.values()) if (channel.invite_only) await forget(context, tx, channel);
  }),
];

async function rename(context: Context, tx: RealmWriteTx, before: ChannelRow, after: ChannelRow): Promise<void> {
  for (const bot of await usersOf(tx, after.id)) {
    const named = (id: ChannelId | null, name: string | null) => (id === after.id ? before.name : name);
    const old = {
      ...bot,
      sendingTo: named(bot.row.default_sending_stream_id, bot.sendingTo),
      listeningTo: named(bot.row.default_events_register_stream_id, bot.listeningTo),
    };
    announceSettings(context, tx, old, bot);
  }
}

/** Clears a private channel from bots whose owners are not subscribed to it. Administrators know of it without that. */
async function forget(context: Context, tx: RealmWriteTx, channel: ChannelRow): Promise<void> {
  const bots = await usersOf(tx, channel.id);
  if (bots.length === 0) return;
  const knowing = await ownersIn(tx, channel, bots);
  const blind = bots.filter(({ user }) => user.bot_owner_id === null || !knowing.has(user.bot_owner_id));
  const ids = blind.map((bot) => bot.user.id);
  await clearDefaults(tx, channel.id, ids);
  for (const bot of blind) {
    const unlessDeleted = (id: ChannelId | null, name: string | null) => (id === channel.id ? null : name);
    const now = {
      ...bot,
      sendingTo: unlessDeleted(bot.row.default_sending_stream_id, bot.sendingTo),
      listeningTo: unlessDeleted(bot.row.default_events_register_stream_id, bot.listeningTo),
    };
    announceSettings(context, tx, bot, now);
  }
}

/** Returns the bots that have the channel as a default. */
async function usersOf(tx: RealmReadTx, channelId: ChannelId): Promise<readonly Bot[]> {
  const rows = await botsByDefaultOf(tx, channelId);
  const ids = rows.map((row) => row.user_id);
  return readBots(tx, [...(await findUsers(tx, ids)).values()]);
}

async function ownersIn(tx: RealmReadTx, channel: ChannelRow, bots: readonly Bot[]): Promise<ReadonlySet<UserId>> {
  const ids = [...new Set(bots.flatMap((bot) => bot.user.bot_owner_id ?? []))];
  const subscriptions = await listSubscriptionsOf(tx, ids, [channel.id]);
  const owners = await findUsers(tx, ids);
  const administrators = [...owners.values()].filter(isAdministrator).map((owner) => owner.id);
  return new Set([
    ...administrators,
    ...subscriptions.filter((subscription) => subscription.is_subscribed).map((subscription) => subscription.user_id),
  ]);
}
