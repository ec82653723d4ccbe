import { channelArchived, type ChannelRow, channelUpdated } from '#features/channels';
import { deleteQueuesOf } from '#kernel/events';
import { grouped } from '#kernel/lists';
import { on } from '#kernel/slice';
import { inParts, type RealmWriteTx } from '#kernel/store';
import { mutedTopicsChanged, userTopicChanged } from './events.ts';
import { listMutedTopics } from './policies.ts';
import { holdersIn, listPoliciesIn } from './queries.ts';
import type { UserTopicRow } from './tables.ts';

/**
 * Most policies that are announced when a channel is archived or comes back. Where there are more, the queues of all who
 * have some end, so that their clients register again.
 */
const MAX_ANNOUNCED = 2000;
/** Events that are emitted before other requests are served. */
const EVENTS_AT_ONCE = 500;
const MUTED = 1;

export const onChannelArchived = on(channelArchived, async (tx, { channel }) => announcePolicies(tx, channel));

export const onChannelBack = on(channelUpdated, async (tx, { before, after }) => {
  if (before.is_archived && !after.is_archived) await announcePolicies(tx, after);
});

/**
 * Tells people that their policies of a channel's topics went with it, or are back with it. Those of archived channels
 * are stored, but no part of anybody's state. See protocol/topics#visibility-policies.
 */
async function announcePolicies(tx: RealmWriteTx, channel: ChannelRow): Promise<void> {
  const rows = await listPoliciesIn(tx, channel.id, MAX_ANNOUNCED + 1);
  if (rows.length > MAX_ANNOUNCED) return deleteQueuesOf(tx, await holdersIn(tx, channel.id));
  const muting = new Set(rows.filter((row) => row.visibility_policy === MUTED).map((row) => row.user_id));
  for (const [userId, muted_topics] of await listMutedTopics(tx, [...muting]))
    tx.emit(mutedTopicsChanged({ muted_topics }, { audience: { users: [userId] } }));
  const told = rows.map((row) => ({ userId: row.user_id, payload: payloadOf(tx, row, channel) }));
  // People with the same policy of a topic, since the same second, share an event.
  const shared = [...grouped(told.map((one) => [JSON.stringify(one.payload), one])).values()];
  await inParts(shared, EVENTS_AT_ONCE, (some) => {
    for (const [one, ...others] of some)
      if (one)
        tx.emit(userTopicChanged(one.payload, { audience: { users: [one, ...others].map(({ userId }) => userId) } }));
    return Promise.resolve();
  });
}

function payloadOf(tx: RealmWriteTx, row: UserTopicRow, { id: stream_id, is_archived }: ChannelRow) {
  const { topic: topic_name, last_updated, visibility_policy } = row;
  if (is_archived) return { stream_id, topic_name, last_updated: tx.now, visibility_policy: 0 };
  return { stream_id, topic_name, last_updated, visibility_policy };
}
