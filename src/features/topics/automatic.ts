import type { UserId } from '#kernel/ids';
import { on } from '#kernel/slice';
import type { RealmWriteTx } from '#kernel/store';
import { type ChannelRow, findSubscription, hasSharedHistory } from '#features/channels';
import { readersAmong, topicMoved } from '#features/message-edits';
import { messagePosted, type MessageRow, topicJoined } from '#features/messages';
import { settingsOf } from '#features/user-settings';
import { findUser, findUsers, type UserRow } from '#features/users';
import { type PolicyChange, setPolicies } from './policies.ts';
import {
  findPolicy,
  isOnlyMessage,
  listPoliciesFor,
  listPoliciesOn,
  receivedOthersOf,
  type TopicKey,
} from './queries.ts';
import { migrated, triggered } from './rules.ts';
import type { Policy } from './tables.ts';

const MUTED = 1;
const FOLLOWED = 3;

/** Follows or unmutes the topics that people write in or are mentioned in. See protocol/topics#automatic-policies. */
export const onMessagePosted = on(messagePosted, async (tx, posted) => {
  const { sender, message, channel, mentionedUserIds, setPolicy } = posted;
  if (!channel) return;
  const topic = { channel_id: channel.id, topic: message.topic };
  if (!sender.is_bot) {
    const isFirst = await isFirstVisible(tx, channel, sender.id, message);
    const policy = await applyTriggered(
      tx,
      sender,
      topic,
      isFirst ? ['participate', 'send', 'start'] : ['participate', 'send'],
    );
    if (policy) setPolicy(policy);
  }
  const people = await findUsers(tx, mentionedUserIds);
  const mentioned = mentionedUserIds.flatMap((id) => (id === sender.id ? [] : (people.get(id) ?? [])));
  await followMentioned(tx, topic, mentioned);
});

/** Follows or unmutes the topics in which people react, vote and the like. See protocol/topics#automatic-policies. */
export const onTopicJoined = on(topicJoined, async (tx, { message }) => {
  if (message.channel_id === null) return;
  const user = await findUser(tx, tx.actor.userId);
  const topic = { channel_id: message.channel_id, topic: message.topic };
  if (user) await applyTriggered(tx, user, topic, ['participate']);
});

/** Moves policies along with a whole topic. See protocol/topics#moving-policies. */
export const onTopicMoved = on(topicMoved, async (tx, { from, to, isWhole, targetHadMessages }) => {
  if (!isWhole) return;
  const source = { channel_id: from.channel.id, topic: from.topic };
  const target = { channel_id: to.channel.id, topic: to.topic };
  const before = await listPoliciesFor(tx, source);
  if (before.length === 0 && !targetHadMessages) return;
  const there = new Map((await listPoliciesFor(tx, target)).map((row) => [row.user_id, row.visibility_policy]));
  const here = new Map(before.map((row) => [row.user_id, row.visibility_policy]));
  const users: readonly UserId[] = [...new Set([...here.keys(), ...there.keys()])];
  // Users who cannot read the topic's new channel do not learn where it went.
  const readers = await readersAmong(tx, to.channel, users);
  const staying = users.filter((userId) => readers.has(userId));
  const changes = staying.map((userId) => ({
    userId,
    policy: migrated(here.get(userId) ?? 0, there.get(userId) ?? 0, targetHadMessages),
  }));
  await setPolicies(
    tx,
    source,
    before.map((row) => ({ userId: row.user_id, policy: 0 as const })),
  );
  await setPolicies(tx, target, changes);
});

/** Whether somebody can see no other message of the message's topic. See protocol/topics#automatic-policies. */
async function isFirstVisible(
  tx: RealmWriteTx,
  channel: ChannelRow,
  userId: UserId,
  message: MessageRow,
): Promise<boolean> {
  if (await isOnlyMessage(tx, message)) return true;
  return !hasSharedHistory(channel) && !(await receivedOthersOf(tx, userId, message));
}

/** Sets the policy that a user's action triggers; returns it if it changed. */
async function applyTriggered(
  tx: RealmWriteTx,
  user: UserRow,
  topic: TopicKey,
  doings: Parameters<typeof triggered>[1],
): Promise<2 | 3 | undefined> {
  const wanted = triggered(settingsOf(user), doings);
  const isMuted = wanted.unmutes && (await findSubscription(tx, user.id, topic.channel_id))?.is_muted === true;
  const policy = wanted.follows ? 3 : isMuted ? 2 : undefined;
  if (policy === undefined) return undefined;
  const current = (await findPolicy(tx, user.id, topic))?.visibility_policy;
  if (current === FOLLOWED || current === policy) return undefined;
  await setPolicies(tx, topic, [{ userId: user.id, policy }]);
  return policy;
}

async function followMentioned(tx: RealmWriteTx, topic: TopicKey, mentioned: readonly UserRow[]): Promise<void> {
  const willing = mentioned.filter(
    (user) => !user.is_bot && settingsOf(user).automatically_follow_topics_where_mentioned,
  );
  if (willing.length === 0) return;
  const ids = willing.map((user) => user.id);
  const known = new Map((await listPoliciesOn(tx, topic, ids)).map((row) => [row.user_id, row.visibility_policy]));
  const open = willing.filter((user) => !isDecided(known.get(user.id)));
  const changes: PolicyChange[] = open.map((user) => ({ userId: user.id, policy: FOLLOWED }));
  await setPolicies(tx, topic, changes);
}

function isDecided(policy: Policy | undefined): boolean {
  return policy === MUTED || policy === FOLLOWED;
}
