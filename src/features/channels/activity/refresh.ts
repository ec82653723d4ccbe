import { listRealms, realmRefOf } from '#features/realms';
import type { RealmRef, RealmRefWriteTx } from '#kernel/auth';
import { repeat, SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { lockLog } from '#kernel/events';
import type { ChannelId } from '#kernel/ids';
import { inChunks, type RealmReadTx } from '#kernel/store';
import { type ChannelRow, findChannels, setChannel } from '../core/index.ts';
import { channelChanged } from '../events.ts';
import { knowersOf } from '../members/index.ts';
import { countDays, countsSince, deleteDaysBefore, listActivity, newestDay, upsertCounts } from './queries.ts';

/** Days of messages that the weekly figure is computed from. See protocol/channels#activity. */
const TRAFFIC_DAYS = 28;
/** Age in days from which a channel has a figure. See protocol/channels#activity. */
const MIN_AGE_DAYS = 7;
/** Days without a message after which a channel no longer counts as active. See protocol/channels#activity. */
const ACTIVE_DAYS = 180;

/** Messages a week of a channel of this age, for the messages of its last 28 days. See protocol/channels#activity. */
export function weeklyTraffic(messages: number, ageDays: number): number | null {
  if (ageDays < MIN_AGE_DAYS) return null;
  const average = Math.floor(ageDays >= TRAFFIC_DAYS ? messages / 4 : (messages * 7) / ageDays);
  return twoDigits(messages > 0 ? Math.max(1, average) : average);
}

/** Whether a channel with its newest message at that time counts as active. */
function isRecentlyActive(lastMessageAt: number, now: number): boolean {
  return now - lastMessageAt < ACTIVE_DAYS * SECONDS_PER_DAY;
}

/** Whole days between two times in seconds. */
function daysBetween(from: number, to: number): number {
  return Math.floor((to - from) / SECONDS_PER_DAY);
}

/** Rounded to its two first digits. */
function twoDigits(value: number): number {
  const unit = 10 ** Math.max(0, String(value).length - 2);
  return Math.round(value / unit) * unit;
}

/** Milliseconds until the first run, and between two runs. */
const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;
/** Channels changed by one transaction. */
const BATCH = 50;

type Activity = Pick<ChannelRow, 'is_recently_active' | 'weekly_traffic'>;

/** Updates the activity figures of every channel, and notifies everybody who knows of a channel that changed. */
export async function refreshActivity(context: Context): Promise<void> {
  for (const row of await context.store.query((tx) => listRealms(tx))) {
    const realm = realmRefOf(row, context.server);
    if (!row.is_deactivated) await refreshRealm(context, realm);
  }
}

/** Refreshes the figures at intervals while the server runs. Several processes may do it at once. */
export function refreshRegularly(context: Context): () => Promise<void> {
  const failed = (error: unknown) => context.log.room('channels').warn({ err: error }, 'activity could not be counted');
  return repeat(context.clock, () => refreshActivity(context), { everyMs: EVERY_MS, firstMs: FIRST_MS, failed });
}

async function refreshRealm(context: Context, realm: RealmRef): Promise<void> {
  await countNewDays(context, realm);
  const stale = await context.store.in(realm).read((tx) => findStale(tx));
  for (const ids of inChunks([...stale.keys()], BATCH)) {
    await context.store.in(realm).write(async (tx) => {
      await lockLog(tx);
      // Another process, or a message, may have been faster.
      const still = await findStale(tx);
      const channels = await findChannels(tx, ids);
      for (const id of ids) {
        const channel = channels.get(id);
        const wanted = still.get(id);
        if (channel && wanted) await change(tx, channel, wanted);
      }
    });
  }
}

/**
 * Counts each whole day that has ended, once; the messages are read outside of the transaction that stores the sums.
 */
async function countNewDays(context: Context, realm: RealmRef): Promise<void> {
  const today = daysBetween(0, context.clock.now());
  const counts = await context.store.in(realm).read(async (tx) => {
    const from = Math.max((await newestDay(tx)) ?? 0, today - TRAFFIC_DAYS - 1) + 1;
    return from < today ? countDays(tx, from, today) : [];
  });
  if (counts.length === 0) return;
  await context.store.in(realm).write(async (tx) => {
    await upsertCounts(tx, counts);
    await deleteDaysBefore(tx, today - TRAFFIC_DAYS);
  });
}

/** Finds channels whose stored activity differs from what was counted, with their new figures. */
async function findStale(tx: RealmReadTx): Promise<ReadonlyMap<ChannelId, Activity>> {
  const counts = await countsSince(tx, daysBetween(0, tx.now) - TRAFFIC_DAYS);
  const stale = new Map<ChannelId, Activity>();
  for (const row of await listActivity(tx)) {
    const weekly_traffic = weeklyTraffic(counts.get(row.id) ?? 0, daysBetween(row.date_created, tx.now));
    const is_recently_active = isRecentlyActive(row.last_message_at, tx.now);
    if (row.weekly_traffic !== weekly_traffic || row.is_recently_active !== is_recently_active)
      stale.set(row.id, { weekly_traffic, is_recently_active });
  }
  return stale;
}

/** See protocol/channels#activity. */
async function change(tx: RealmRefWriteTx, channel: ChannelRow, wanted: Activity): Promise<void> {
  await setChannel(tx, channel.id, wanted);
  const audience = await knowersOf(tx, channel);
  const changes = [
    {
      property: 'stream_weekly_traffic',
      isNew: channel.weekly_traffic !== wanted.weekly_traffic,
      value: wanted.weekly_traffic,
    },
    {
      property: 'is_recently_active',
      isNew: channel.is_recently_active !== wanted.is_recently_active,
      value: wanted.is_recently_active,
    },
  ];
  for (const { property, value, isNew } of changes)
    if (isNew) tx.emit(channelChanged({ stream_id: channel.id, name: channel.name, property, value }, { audience }));
}
