import { type ChannelRow, findChannels, findChannelsByName, hasSharedHistory, mayRead } from '#features/channels';
import type { Visibility } from '#features/rendering';
import { findOpenable, toUploadFacts } from '#features/uploads';
import type { UserRow } from '#features/users';
import type { Actor, ActorReadTx } from '#kernel/auth';
import type { LinkableChannel, LinkableTopic, MarkdownNames } from '#kernel/markdown';
import { actingAs } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { accessByChannelIn, latestInTopics, readerOf } from '../core/index.ts';

/**
 * What the author of a message may link to: channels whose messages they may read, the latest messages of topics they
 * can see, files they may open. The paths of such files are added to `uploads`. See protocol/markdown#channel-links,
 * protocol/markdown#addresses-and-safety.
 */
export function visibilityOf(actor: Actor, author: UserRow, uploads: Set<string>): Visibility {
  return {
    hidden: actor.viewer.hidden,
    channels: async (tx, names) => (await readableChannels(actingAs(tx, actor), author, names)).map(toLinkable),
    topics: (tx, channels, topics) => linkableTopics(actingAs(tx, actor), channels, topics),
    uploads: async (tx, pathIds) => {
      const own = actingAs(tx, actor);
      const rows = await findOpenable(own, pathIds, readerOf(own));
      for (const row of rows) uploads.add(row.path_id);
      return rows.map(toUploadFacts);
    },
  };
}

const toLinkable = ({ id, name }: ChannelRow): LinkableChannel => ({ stream_id: id, name });

/**
 * The channels that an author may link to. A system bot's notice repeats names for other readers, so it links only to
 * channels that are not private.
 */
async function readableChannels(
  tx: ActorReadTx,
  author: UserRow,
  names: readonly string[],
): Promise<readonly ChannelRow[]> {
  const channels = [...(await findChannelsByName(tx, names)).values()];
  if (author.is_system_bot) return channels.filter((channel) => !channel.invite_only);
  const accessByChannel = await accessByChannelIn(tx, channels);
  return channels.filter((channel) => {
    const access = accessByChannel.get(channel.id);
    return access !== undefined && mayRead(channel, access);
  });
}

async function linkableTopics(
  tx: ActorReadTx,
  channels: readonly LinkableChannel[],
  topics: MarkdownNames['topics'],
): Promise<readonly LinkableTopic[]> {
  const byName = new Map(channels.map((channel) => [channel.name, channel.stream_id]));
  const wanted = topics.flatMap(({ channelName, topic }) => {
    const stream_id = byName.get(channelName);
    return stream_id === undefined ? [] : [{ stream_id, topic }];
  });
  if (wanted.length === 0) return [];
  const rows = [...(await findChannels(tx, [...new Set(wanted.map((link) => link.stream_id))])).values()];
  const keys = [...new Set(wanted.map(({ topic }) => foldCase(topic)))];
  const latest = await latestInTopics(
    tx,
    rows.map((row) => ({ recipientId: row.recipient_id, isOpen: hasSharedHistory(row) || row.is_web_public })),
    keys,
  );
  const recipients = new Map(rows.map((row) => [row.id, row.recipient_id]));
  return wanted.flatMap(({ stream_id, topic }) => {
    const found = latest.get(`${recipients.get(stream_id) ?? 0} ${foldCase(topic)}`);
    return found === undefined ? [] : [{ stream_id, topic, latest_message_id: found }];
  });
}
