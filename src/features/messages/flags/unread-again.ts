import type { RealmRefWriteTx } from '#kernel/auth';
import type { MessageId, UserId } from '#kernel/ids';
import { inParts } from '#kernel/store';
import type { ChannelRow } from '#features/channels';
import { findHeads, type MessageHead } from '../core/index.ts';
import { unreadBy } from '../reading/index.ts';
import { Alike, type Audience } from './alike.ts';
import { flagsRemoved, type UnreadDetail } from './events.ts';
import { Mentions } from './mentions.ts';

interface Joining {
  readonly joined: readonly { readonly userId: UserId; readonly channel: ChannelRow }[];
}

/** Messages that are read, and people whose messages are compared, before other requests are served. */
const [HEADS_AT_ONCE, PEOPLE_AT_ONCE] = [2000, 5];

/**
 * Tells people who subscribe to channels what they have not read there: messages that they had before these were moved
 * to the channel. See protocol/events#update_message_flags.
 */
export async function tellWhatIsUnread(tx: RealmRefWriteTx, { joined }: Joining): Promise<void> {
  const pairs = new Set(joined.map(({ userId, channel }) => `${userId}:${channel.recipient_id}`));
  const users = [...new Set(joined.map(({ userId }) => userId))];
  const places = [...new Set(joined.map(({ channel }) => channel.recipient_id))];
  const unread = new Map<UserId, MessageId[]>();
  for await (const rows of unreadBy(tx, users, places))
    for (const { user_id, recipient_id, id } of rows) {
      if (!pairs.has(`${user_id}:${recipient_id}`)) continue;
      const known = unread.get(user_id);
      if (known) known.push(id);
      else unread.set(user_id, [id]);
    }
  if (unread.size === 0) return;
  const alike = new Alike();
  await inParts([...unread], PEOPLE_AT_ONCE, async (some) => {
    for (const [userId, own] of some)
      alike.add(
        userId,
        own.toSorted((a, b) => a - b),
      );
  });
  await tellUnread(tx, alike.all);
}

/** Tells people that messages in channels count among their unread ones, which did not before. */
export async function tellUnread(tx: RealmRefWriteTx, audiences: readonly Audience[]): Promise<void> {
  if (audiences.length === 0) return;
  const heads = await headsOf(tx, audiences);
  const mentions = await Mentions.in(tx, heads);
  const byId = new Map(heads.map((head) => [head.id, head]));
  for (const audience of audiences) {
    const marks = await mentions.of(audience);
    const alike = new Alike();
    for (const userId of audience.users) alike.add(userId, marks.get(userId) ?? []);
    const rows = audience.messages.flatMap((id) => byId.get(id) ?? []);
    await inParts(alike.all, 1, async ([one]) => {
      const marked = new Set(one?.messages);
      const detail = (row: MessageHead) => detailOf(row, marked.has(row.id) || mentions.isForAll(row.id));
      const message_details = Object.fromEntries(rows.map((row) => [row.id, detail(row)]));
      const payload = { operation: 'remove', flag: 'read', messages: rows.map(({ id }) => id), all: false } as const;
      tx.emit(flagsRemoved({ ...payload, message_details }, { audience: { users: [...(one?.users ?? [])] } }));
    });
    await new Promise(setImmediate);
  }
}

async function headsOf(tx: RealmRefWriteTx, audiences: readonly Audience[]): Promise<readonly MessageHead[]> {
  const ids = new Set<MessageId>();
  await inParts(audiences, PEOPLE_AT_ONCE, async (some) => {
    for (const { messages } of some) for (const id of messages) ids.add(id);
  });
  return (await inParts([...ids], HEADS_AT_ONCE, (some) => findHeads(tx, some))).flat();
}

function detailOf({ channel_id, topic }: MessageHead, isMentioned: boolean): UnreadDetail {
  const mark = isMentioned ? { mentioned: true as const } : {};
  return { type: 'stream', ...mark, ...(channel_id !== null && { stream_id: channel_id }), topic };
}
