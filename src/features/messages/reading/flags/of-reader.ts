import type { ActorReadTx } from '#kernel/auth';
import type { GroupId, MessageId } from '#kernel/ids';
import { together } from '#kernel/store';
import { groupsOf } from '#features/groups';
import { type MessageHead, type MessageRow, receivedAmong, type StoredFlag } from '../../core/index.ts';
import { readBy } from '../read-state.ts';
import { flagsByMessage, groupMentionsOf } from './queries.ts';

const NO_FLAGS: ReadonlySet<StoredFlag> = new Set();
/** Stored flags that clients see, in the order in which they are listed. */
const SHOWN = ['starred', 'collapsed', 'has_alert_word', 'historical'] as const;

/**
 * The flags of messages for one reader. Messages that were never received count as read. See
 * protocol/fetching#visibility.
 */
export async function flagsOfReader(
  tx: ActorReadTx,
  rows: readonly MessageHead[],
): Promise<ReadonlyMap<MessageId, readonly string[]>> {
  const { actor } = tx;
  const ids = rows.map((row) => row.id);
  const [received, readByUser, stored, grouped] = await together([
    receivedAmong(tx, ids),
    readBy(tx, [actor.userId], rows),
    flagsByMessage(tx, ids),
    mentionedByGroup(tx, rows),
  ]);
  const read = readByUser.get(actor.userId) ?? new Set<MessageId>();
  return new Map(
    rows.map((row) => {
      if (!received.has(row.id)) return [row.id, ['read', 'historical']];
      const own = stored.get(row.id) ?? NO_FLAGS;
      return [row.id, flagsOf(row, own, read.has(row.id), grouped.has(row.id))];
    }),
  );
}

function flagsOf(
  row: Pick<MessageRow, 'mentions_channel'>,
  own: ReadonlySet<StoredFlag>,
  isRead: boolean,
  inGroup: boolean,
): readonly string[] {
  const wasThere = !own.has('historical');
  const isMentioned = own.has('mentioned') || (inGroup && wasThere);
  const everybody = row.mentions_channel && wasThere;
  const topic = own.has('topic_wildcard_mentioned');
  return [
    ...(isRead ? ['read'] : []),
    ...SHOWN.filter((flag) => own.has(flag)),
    ...(isMentioned ? ['mentioned'] : []),
    ...(everybody ? ['stream_wildcard_mentioned'] : []),
    ...(topic ? ['topic_wildcard_mentioned'] : []),
    // The older name for either of the two, while clients still use it.
    ...(everybody || topic ? ['wildcard_mentioned'] : []),
  ];
}

/** Messages that mention a group of the reader; the reader's groups are read only when a message mentions one. */
async function mentionedByGroup(
  tx: ActorReadTx,
  rows: readonly Pick<MessageRow, 'id' | 'mentions_groups'>[],
): Promise<ReadonlySet<MessageId>> {
  const ids = rows.filter((row) => row.mentions_groups).map((row) => row.id);
  if (ids.length === 0) return new Set();
  const mentions = await groupMentionsOf(tx, ids);
  const own: ReadonlySet<GroupId> = await groupsOf(tx, tx.actor);
  return new Set(ids.filter((id) => mentions.get(id)?.some((group) => own.has(group))));
}
