import { listRealms, readRealm, realmRefOf, settingsOf } from '#features/realms';
import { findUsers } from '#features/users';
import { repeat, SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { defineJob, enqueue, enqueueAll, type JobKind } from '#kernel/jobs';
import { ofRealm } from '#kernel/store';
import { MAX_NEW_CHANNELS, topicsByPerson } from './compose.ts';
import { type DigestLetter, digestLetterJob } from './letters.ts';
import { type BusyTopic, listAbsent, listBusyTopics, listNewChannels } from './queries.ts';

/** Second of the day, UTC, at which these mails are made. */
const AT_SECONDS = 8 * 3600;
const WEEK_SECONDS = 7 * SECONDS_PER_DAY;
/** People per batch, and most topics of a week that are considered. */
const PAGE = 50;
const MAX_TOPICS = 300;
/** Milliseconds between two searches for organizations without this job. */
const SEED_EVERY_MS = 600_000;
const KEY = 'digest';

/** Progress of a week's mails; absent until they are due. */
interface Progress {
  readonly since?: number;
  /** People up to this ID are done. */
  readonly after?: number;
  readonly topics?: readonly BusyTopic[];
}

/**
 * Checks each day whether it is the organization's day for weekly mails, and makes them one page of people at a time.
 * The transaction that stores a page's mails also stores the progress, so that a crash neither skips a mail nor sends
 * one twice. See protocol/mail#weekly.
 */
export const digestJob: JobKind<Progress, Context> = defineJob(
  'digest',
  async (progress: Progress, { context, realmId, finish }) => {
    const row = await context.store.of(realmId).query((tx) => readRealm(tx));
    const realm = realmRefOf(row, context.server);
    const { digest_emails_enabled, digest_weekday } = settingsOf(row);
    const isOn = digest_emails_enabled && !row.is_deactivated;
    const isDue = progress.since !== undefined || weekdayOf(context.clock.now()) === digest_weekday;
    const page = isOn && isDue ? await makePage(context, realm, progress) : undefined;
    await context.store.of(realmId).write(async (tx) => {
      await finish(tx);
      if (page) await enqueueAll(tx, digestLetterJob, page.letters);
      const next = page?.next;
      const runAt = next ? tx.now : nextMorning(tx.now);
      await enqueue(tx, digestJob, next ?? {}, { key: KEY, runAt });
    });
  },
  'slow',
);

async function makePage(context: Context, realm: ReturnType<typeof realmRefOf>, progress: Progress) {
  const since = progress.since ?? context.clock.now() - WEEK_SECONDS;
  return context.store.in(realm).read(async (tx) => {
    const topics = progress.topics ?? (await listBusyTopics(tx, since, MAX_TOPICS));
    const channels = await listNewChannels(tx, since, MAX_NEW_CHANNELS);
    if (topics.length + channels.length === 0) return { letters: [], next: undefined };
    const ids = await listAbsent(tx, since, { after: progress.after ?? 0, limit: PAGE });
    const people = [...(await findUsers(tx, ids)).values()];
    const byPerson = await topicsByPerson(tx, people, { topics, channels });
    const letters = byPerson.map(([{ id: user_id }, own]): DigestLetter => ({ user_id, since, topics: own }));
    const last = ids.at(-1);
    return { letters, next: ids.length === PAGE && last !== undefined ? { since, topics, after: last } : undefined };
  });
}

/** Day of the week in UTC: 0 Monday to 6 Sunday. */
function weekdayOf(now: number): number {
  return (new Date(now * 1000).getUTCDay() + 6) % 7;
}

function nextMorning(now: number): number {
  const today = now - (now % SECONDS_PER_DAY) + AT_SECONDS;
  return today > now ? today : today + SECONDS_PER_DAY;
}

/**
 * Gives each organization its job, whose first run is the next morning; also organizations that are created while the
 * server runs.
 */
export function seedDigests(context: Context): () => Promise<void> {
  const failed = (error: unknown) => context.log.room('mail').warn({ err: error }, 'jobs could not be stored');
  const seed = () =>
    context.store.write(async (tx) => {
      const options = { key: KEY, unlessWaiting: true, runAt: nextMorning(tx.now) };
      for (const { id } of await listRealms(tx)) await enqueue(ofRealm(tx, id), digestJob, {}, options);
    });
  return repeat(context.clock, seed, { everyMs: SEED_EVERY_MS, firstMs: 0, failed });
}
