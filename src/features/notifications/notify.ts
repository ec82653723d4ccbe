import { contentEdited, messagesErased } from '#features/message-edits';
import { type MessageRow, messagePosted, messagesRead } from '#features/messages';
import type { GroupId, MessageId, UserId } from '#kernel/ids';
import { asId } from '#kernel/ids';
import { defineJob } from '#kernel/jobs';
import type { Kit } from '#kernel/kit';
import { on } from '#kernel/slice';
import type { WriteTx } from '#kernel/store';
import { findMessage, type Newly, readConcerned } from './decide.ts';
import { gather } from './missed/gather.ts';
import { type Audience, removeLater, showLater } from './push/jobs.ts';
import type { Recipient } from './push/parcels.ts';
import { takePushed } from './push/queries.ts';
import { openRoad, type Road, sealedRoad } from './push/roads.ts';
import { type Candidate, type Trigger, triggerFor, type Way } from './rules.ts';

interface Notify {
  readonly message_id: MessageId;
  /** People up to this ID are done. */
  readonly after: number;
  readonly newly?: Newly;
}

/** Finds out who is to be told of a message, a page of people at a time. Contract surrounding 3.5, offline notices. */
export const notifyJob = defineJob<Notify, Kit>('notify', async (job, { kit, realmId, finish }) => {
  const message = await findMessage(kit, realmId, job.message_id);
  if (!message) return;
  const { candidates, idle, next } = await readConcerned(kit, message, job.after, job.newly);
  const told = (way: Way) => tell(way, candidates, idle);
  const push = kit.pushGateway ? await reachable(kit, message, told('push')) : undefined;
  const readers = told('email').map(({ candidate: { userId, wishes }, trigger: reason }) => ({
    userId,
    reason,
    seconds: wishes.email_notifications_batching_period_seconds,
  }));
  await kit.store.write(async (tx) => {
    await finish(tx);
    if (push) await showLater(kit, tx, message, push);
    if (readers.length > 0) await gather(kit, tx, message, readers);
    if (next !== undefined) await kit.jobs.enqueue(tx, realmId, notifyJob, { ...job, after: next });
  });
});

interface Told {
  readonly candidate: Candidate;
  readonly trigger: Trigger;
}

function tell(way: Way, candidates: readonly Candidate[], idle: ReadonlySet<UserId>): readonly Told[] {
  return candidates.flatMap((candidate) => {
    const trigger = triggerFor(way, candidate, idle.has(candidate.userId));
    return trigger === undefined ? [] : [{ candidate, trigger }];
  });
}

/** Those who have a phone; undefined when nobody has. */
async function reachable(kit: Kit, { realm_id }: MessageRow, told: readonly Told[]): Promise<Audience | undefined> {
  if (told.length === 0) return undefined;
  const ids = told.map(({ candidate }) => candidate.userId);
  const people = told.map(({ candidate, trigger }): Recipient => [candidate.userId, trigger]);
  return kit.store.read(async (tx) => {
    const owning = async ({ devices }: Pick<Road, 'devices'>) => {
      const owners = new Set((await devices(tx, realm_id, ids)).map((device) => device.user_id));
      return people.filter(([userId]) => owners.has(userId));
    };
    const audience = { sealed: await owning(sealedRoad), open: await owning(openRoad) };
    return audience.sealed.length + audience.open.length > 0 ? audience : undefined;
  });
}

/** One row for the whole message: sending takes no longer, however many receive it. */
const onPosted = on(messagePosted, (kit, tx, { message }) => decideLater(kit, tx, message));

const onEdited = on(contentEdited, async (kit, tx, { message, rendered }) => {
  const before = mentionsIn(message.rendered_content);
  const newly = {
    users: [...rendered.mentionedUserIds].filter((id) => !before.users.has(id)),
    groups: [...rendered.mentionedGroupIds].filter((id) => !before.groups.has(id)),
    channel: rendered.mentionsChannel && !message.mentions_channel,
    topic: rendered.mentionsTopic && !before.topic,
  };
  const isAny = newly.users.length + newly.groups.length > 0 || newly.channel || newly.topic;
  if (isAny) await decideLater(kit, tx, message, newly);
});

/** Contract surrounding 2.3.1: marking a message read clears its notification. */
const onRead = on(messagesRead, async (kit, tx, { realm, read }) => {
  const messageIds = [...new Set([...read.values()].flat())];
  if (!kit.pushGateway || messageIds.length === 0) return;
  // Of a message that somebody had read before, nothing stands on their phone.
  await removeLater(kit, tx, realm.id, await takePushed(tx, realm.id, messageIds, [...read.keys()]));
});

const onErased = on(messagesErased, async (kit, tx, { realm, messageIds }) => {
  if (!kit.pushGateway || messageIds.length === 0) return;
  await removeLater(kit, tx, realm.id, await takePushed(tx, realm.id, messageIds));
});

export const notifyOn = [onPosted, onEdited, onRead, onErased];

function decideLater(kit: Kit, tx: WriteTx, { realm_id, id }: MessageRow, newly?: Newly): Promise<void> {
  return kit.jobs.enqueue(tx, realm_id, notifyJob, { message_id: id, after: 0, ...(newly && { newly }) });
}

const MENTION = /class="user-mention" data-user-id="(\d+)"/g;
const TOPIC_MENTION = 'class="topic-mention"';
const GROUP_MENTION = /class="user-group-mention" data-user-group-id="(\d+)"/g;

/** Whom rendered content mentions aloud; silent mentions have a further class. */
function mentionsIn(rendered: string) {
  const ids = (pattern: RegExp) => [...rendered.matchAll(pattern)].map(([, id]) => Number(id));
  return {
    users: new Set(ids(MENTION).map((id) => asId<UserId>(id))),
    groups: new Set(ids(GROUP_MENTION).map((id) => asId<GroupId>(id))),
    topic: rendered.includes(TOPIC_MENTION),
  };
}
