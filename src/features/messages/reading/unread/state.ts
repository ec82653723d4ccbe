import type { Actor, RealmRef } from '#kernel/auth';
import { asId, type ChannelId, type MessageId, type UserId } from '#kernel/ids';
import { bool, idOf, int, list, object, str } from '#kernel/schema';
import { registerState } from '#kernel/state';
import type { ReadTx } from '#kernel/store';
import { participantsOf } from '#features/recipients';
import { mentionedByGroup } from '../../flags/of-reader.ts';
import { mutingOf } from './muting.ts';
import { listMentions, listUnread } from './queries.ts';
import { toWireUnread, type Unread } from './rules.ts';

/** Most unread messages that are counted; the newest are. Contract register 2.9. */
const MAX_UNREAD = 50_000;

const ids = list(idOf<MessageId>());

/** What the reader has not read, grouped by conversation. Contract register 2.9. */
export const unreadState = registerState({
  fetchType: 'message',
  alsoNeeds: ['update_message_flags'],
  eventTypes: ['message', 'update_message', 'update_message_flags', 'delete_message'],
  source: 'contract register 2.9',
  fields: {
    unread_msgs: object({
      count: int(),
      pms: list(object({ other_user_id: idOf<UserId>(), sender_id: idOf<UserId>(), unread_message_ids: ids })),
      streams: list(object({ stream_id: idOf<ChannelId>(), topic: str(), unread_message_ids: ids })),
      huddles: list(object({ user_ids_string: str(), unread_message_ids: ids })),
      mentions: ids,
      old_unreads_missing: bool(),
    }),
  },
  read: async ({ tx, realm, actor, view }) => {
    const unread = actor ? await readUnread(tx, realm, actor) : [];
    const isCut = unread.length >= MAX_UNREAD;
    const options = { emptyTopicName: view.empty_topic_name, isCut };
    return { unread_msgs: toWireUnread(unread, { ...options, self: actor?.userId ?? NOBODY }) };
  },
});

const NOBODY = asId<UserId>(0);

/** The rows come newest first. */
function oldestOf(rows: readonly { readonly id: MessageId }[]): MessageId {
  return rows.at(-1)?.id ?? asId<MessageId>(0);
}

async function readUnread(tx: ReadTx, realm: RealmRef, actor: Actor): Promise<readonly Unread[]> {
  const rows = await listUnread(tx, realm.id, actor.userId, MAX_UNREAD);
  if (rows.length === 0) return [];
  const isMuted = await mutingOf(tx, realm.id, actor.userId);
  const marks = await listMentions(tx, realm.id, actor.userId, oldestOf(rows));
  const grouped = await mentionedByGroup(tx, realm, actor, rows);
  return rows.map((row) => {
    const own = marks.get(row.id);
    return {
      id: row.id,
      place:
        row.channel_id === null
          ? { people: participantsOf(row) ?? [] }
          : { channelId: row.channel_id, topic: row.topic, isMuted: isMuted(row) },
      isMentioned: own?.has('mentioned') === true || grouped.has(row.id),
      isForAll: row.mentions_channel || own?.has('topic_wildcard_mentioned') === true,
    };
  });
}
