import { contentEdited, messagesErased } from '#features/message-edits';
import { findHeads, type MessageHead, messagePosted, messagesRead } from '#features/messages';
import { hasSubscriptions } from '#features/push-subscriptions';
import type { GroupId, MessageId, RealmId, UserId } from '#kernel/ids';
import { asId } from '#kernel/ids';
import { defineBatchJob, enqueue, enqueueAll } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import { on } from '#kernel/slice';
import type { RealmWriteTx } from '#kernel/store';
import { decide, type Decided } from './decide.ts';
import type { Newly } from './marks.ts';
import { gather, type Missing } from './missed/index.ts';
import {
  type Audience,
  openRoad,
  type Owned,
  type Recipient,
  removeLater,
  type Road,
  sealedRoad,
  showLater,
  takePushed,
  webRoad,
} from './push/index.ts';
import { type Candidate, type Trigger, triggerFor, type Way } from './rules.ts';

interface Notify {
  readonly message_id: MessageId;
  /** People up to this ID have been handled. */
  readonly after: number;
  readonly newly?: Newly;
}

/**
 * Decides who is notified of messages, one page of people per message at a time. Every message has such a job, and jobs
 * of about the same time run together. See protocol/notifications#reasons.
 */
export const notifyJob = defineBatchJob<Notify, Context>('notify', async (jobs, { context, realmId, finish }) => {
  const messages = await readMessages(context, realmId, jobs);
  const asked = jobs.flatMap(({ message_id, after, newly }) => {
    const message = messages.get(message_id);
    return message ? [{ message, after, newly }] : [];
  });
  const decided = await decide(context, realmId, asked);
  const shown = await reachable(context, realmId, decided);
  const missed = decided.flatMap(missedIn);
  await context.store.of(realmId).write(async (tx) => {
    await finish(tx);
    for (const { message, audience } of shown) await showLater(tx, message, audience);
    await gather(tx, missed);
    await enqueueAll(tx, notifyJob, decided.flatMap(restOf));
  });
});

/** The job for the remaining people. */
function restOf({ asked: { message, newly }, next }: Decided): readonly Notify[] {
  return next === undefined ? [] : [toJob(message, next, newly)];
}

/** The messages of the jobs that still exist. */
async function readMessages(context: Context, realmId: RealmId, jobs: readonly Notify[]) {
  const ids = [...new Set(jobs.map(({ message_id }) => message_id))];
  const rows = await context.store.of(realmId).query((tx) => findHeads(tx, ids));
  return new Map(rows.map((row) => [row.id, row]));
}

interface Notified {
  readonly candidate: Candidate;
  readonly trigger: Trigger;
}

function notifiedBy(way: Way, { candidates, idle }: Decided): readonly Notified[] {
  return candidates.flatMap((candidate) => {
    const trigger = triggerFor(way, candidate, idle.has(candidate.userId));
    return trigger === undefined ? [] : [{ candidate, trigger }];
  });
}

/** The people who are to get a message by mail. */
function missedIn(decided: Decided): readonly Missing[] {
  return notifiedBy('email', decided).map(({ candidate: { userId, wishes }, trigger: reason }) => ({
    messageId: decided.asked.message.id,
    userId,
    reason,
    seconds: wishes.email_notifications_batching_period_seconds,
  }));
}

/**
 * For each message, the people to notify by push who have a phone or browser registered; messages without any are left
 * out.
 */
async function reachable(context: Context, realmId: RealmId, decided: readonly Decided[]): Promise<readonly Shown[]> {
  const pushed = decided.map((one) => ({
    message: one.asked.message,
    people: notifiedBy('push', one).map(toRecipient),
  }));
  const ids = [...new Set(pushed.flatMap(({ people }) => people.map(([userId]) => userId)))];
  if (ids.length === 0) return [];
  return context.store.of(realmId).read(async (tx) => {
    const owners = async ({ devices }: Pick<Road<Owned>, 'devices'>) =>
      new Set((await devices(tx, ids)).map((device) => device.user_id));
    const nobody: ReadonlySet<UserId> = new Set();
    const phones = context.pushGateway ? [await owners(sealedRoad), await owners(openRoad)] : [];
    const [sealed = nobody, open = nobody] = phones;
    const web = (await hasSubscriptions(tx)) ? await owners(webRoad) : nobody;
    return pushed.flatMap(({ message, people }) => {
      const owning = (owner: ReadonlySet<UserId>) => people.filter(([userId]) => owner.has(userId));
      const audience = { sealed: owning(sealed), open: owning(open), web: owning(web) };
      return Object.values(audience).some((owned) => owned.length > 0) ? [{ message, audience }] : [];
    });
  });
}

interface Shown {
  readonly message: MessageHead;
  readonly audience: Audience;
}

function toRecipient({ candidate, trigger }: Notified): Recipient {
  return [candidate.userId, trigger];
}

/** One job for the whole message, so that sending takes no longer with more recipients. */
const onPosted = on(messagePosted, (tx, { message }) => enqueue(tx, notifyJob, toJob(message, 0, undefined)));

const onEdited = on(contentEdited, async (tx, { message, rendered }) => {
  const before = mentionsIn(message.rendered_content);
  const newly = {
    users: [...rendered.mentionedUserIds].filter((id) => !before.users.has(id)),
    groups: [...rendered.mentionedGroupIds].filter((id) => !before.groups.has(id)),
    channel: rendered.mentionsChannel && !message.mentions_channel,
    topic: rendered.mentionsTopic && !before.topic,
  };
  const isAny = newly.users.length + newly.groups.length > 0 || newly.channel || newly.topic;
  if (isAny) await enqueue(tx, notifyJob, toJob(message, 0, newly));
});

/** protocol/flags#changing: marking a message read clears its notification. */
const onRead = on(messagesRead, async (tx, { read }, context) => {
  const messageIds = [...new Set([...read.values()].flat())];
  if (messageIds.length === 0 || !(await mayStand(context, tx))) return;
  // Messages that somebody had read before have no notification on their phone.
  await removeLater(context, tx, await takePushed(tx, messageIds, [...read.keys()]));
});

/** Whether any phone or browser may show notifications; otherwise a search would be useless. */
async function mayStand(context: Context, tx: RealmWriteTx): Promise<boolean> {
  return context.pushGateway !== undefined || hasSubscriptions(tx);
}

const onErased = on(messagesErased, async (tx, { messageIds }, context) => {
  if (messageIds.length === 0 || !(await mayStand(context, tx))) return;
  await removeLater(context, tx, await takePushed(tx, messageIds));
});

export const notifyOn = [onPosted, onEdited, onRead, onErased];

function toJob({ id }: MessageHead, after: number, newly: Newly | undefined): Notify {
  return { message_id: id, after, ...(newly && { newly }) };
}

const MENTION = /class="user-mention" data-user-id="(\d+)"/g;
const TOPIC_MENTION = 'class="topic-mention"';
const GROUP_MENTION = /class="user-group-mention" data-user-group-id="(\d+)"/g;

/** The users and groups that rendered content mentions loudly; silent mentions have a further class. */
function mentionsIn(rendered: string) {
  const ids = (pattern: RegExp) => [...rendered.matchAll(pattern)].map(([, id]) => Number(id));
  return {
    users: new Set(ids(MENTION).map((id) => asId<UserId>(id))),
    groups: new Set(ids(GROUP_MENTION).map((id) => asId<GroupId>(id))),
    topic: rendered.includes(TOPIC_MENTION),
  };
}
