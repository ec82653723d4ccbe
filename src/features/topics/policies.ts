import { findChannel } from '#features/channels';
import type { UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import { mutedTopicsChanged, userTopicChanged } from './events.ts';
import {
  deletePolicies,
  listPoliciesOf,
  listPoliciesOn,
  type TopicKey,
  upsertPolicies,
  usersWithFewPolicies,
} from './queries.ts';
import type { Policy } from './tables.ts';
import { mutedTopicsOf } from './to-wire.ts';

/**
 * Most policies of an account that still gets the old form of a change, which lists all muted topics: the log would
 * take a megabyte for each change otherwise.
 */
const MAX_LISTED = 1000;

/** A change of a user's policy of a topic; 0 for none. */
export interface PolicyChange {
  readonly userId: UserId;
  readonly policy: Policy | 0;
}

/**
 * Sets users' policies of a topic and emits an event to each, in the old form first. Unchanged policies are neither
 * stored nor announced. The caller has locked the log. See protocol/events#own-data.
 */
export async function setPolicies(tx: RealmWriteTx, topic: TopicKey, changes: readonly PolicyChange[]): Promise<void> {
  if (changes.length === 0) return;
  const people = changes.map(({ userId }) => userId);
  const known = new Map((await listPoliciesOn(tx, topic, people)).map((row) => [row.user_id, row.visibility_policy]));
  const real = changes.filter(({ userId, policy }) => (known.get(userId) ?? 0) !== policy);
  if (real.length === 0) return;
  const cleared = real.filter(({ policy }) => policy === 0).map(({ userId }) => userId);
  await deletePolicies(tx, cleared, topic);
  const rows = real.flatMap(({ userId, policy }) =>
    policy === 0 ? [] : [{ realm_id: tx.realmId, user_id: userId, ...topic, visibility_policy: policy }],
  );
  await upsertPolicies(tx, rows);
  // Policies in archived channels are no part of anybody's state until the channel is back.
  if ((await findChannel(tx, topic.channel_id))?.is_archived) return;
  const mutedTopics = await listMutedTopics(
    tx,
    real.map(({ userId }) => userId),
  );
  for (const { userId, policy } of real) {
    const audience = { users: [userId] };
    const muted_topics = mutedTopics.get(userId);
    if (muted_topics) tx.emit(mutedTopicsChanged({ muted_topics }, { audience }));
    const payload = {
      stream_id: topic.channel_id,
      topic_name: topic.topic,
      last_updated: tx.now,
      visibility_policy: policy,
    };
    tx.emit(userTopicChanged(payload, { audience }));
  }
}

/** All muted topics of each of these users who still gets the old form of a change. */
export async function listMutedTopics(tx: RealmReadTx, users: readonly UserId[]) {
  const few = await usersWithFewPolicies(tx, users, MAX_LISTED);
  const all = grouped((await listPoliciesOf(tx, few)).map((row) => [row.user_id, row]));
  return new Map(few.map((userId) => [userId, mutedTopicsOf(all.get(userId) ?? [])]));
}
