import type { Actor, ActorWriteTx } from '#kernel/auth';
import { asId, type ChannelId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import type { GroupSettingValue } from '#kernel/permissions';
import { on } from '#kernel/slice';
import type { RealmReadTx } from '#kernel/store';
import {
  channelArchived,
  type ChannelRow,
  channelsCreated,
  channelUpdated,
  findChannel,
  peopleSubscribed,
  type SettingChange,
} from '#features/channels';
import { findGroups } from '#features/groups';
import { channelLink, silentMention, verbatim } from '#features/messages';
import { readRealm, type RealmSettings, settingsOf } from '#features/realms';
import { findUsers } from '#features/users';
import { queueChannelNotices, queueDirectNotices } from './jobs.ts';
import { kindOf, namesOf, quotedDescription, retentionOf } from './naming.ts';
import { type NoticeWords, wordsOf } from './words/index.ts';

/** Topic of notices about the channel they are in. See protocol/channels#notices. */
const CHANNEL_EVENTS = 'channel events';
/** Topic of announcements. See protocol/channels#creation-effects. */
const NEW_CHANNELS = 'new channels';

const mentionOf = (actor: Actor) => silentMention({ full_name: actor.fullName, id: actor.userId });

/** The topic of a notice; the unnamed topic in a channel that has no other. */
function topicIn(channel: ChannelRow, topic: string): string {
  return channel.topics_policy === 'empty_topic_only' ? '' : topic;
}

async function realmSettings(tx: RealmReadTx): Promise<RealmSettings> {
  return settingsOf(await readRealm(tx));
}

/** A notice for a channel. */
interface Saying {
  readonly channel: ChannelRow;
  readonly content: string;
}

/** Posts notices to channels if the organization wants them. */
async function post(tx: ActorWriteTx, sayings: readonly Saying[]): Promise<void> {
  if (sayings.length === 0 || !(await realmSettings(tx)).send_channel_events_messages) return;
  const notices = sayings.map(({ channel, content }) => ({
    channelId: channel.id,
    topic: topicIn(channel, CHANNEL_EVENTS),
    content,
    readBy: [tx.actor.userId],
  }));
  await queueChannelNotices(tx, notices);
}

/**
 * Posts a description of each new channel to the channel itself, and the announcement to everybody. See
 * protocol/channels#creation-effects.
 */
const created = on(channelsCreated, async (tx, { channels, announce }) => {
  const words = wordsOf(tx.realm);
  const by = mentionOf(tx.actor);
  const sayings = channels.map((channel) => ({
    channel,
    content: words.created(by, words.kinds[kindOf(channel)], quotedDescription(channel.description, words)),
  }));
  await post(tx, sayings);
  if (!announce) return;
  const id = (await realmSettings(tx)).new_stream_announcements_stream_id;
  const place = id > 0 ? await findChannel(tx, asId<ChannelId>(id)) : undefined;
  if (!place) return;
  const content = words.announced(by, channels.map(channelLink));
  const notice = { channelId: place.id, topic: topicIn(place, NEW_CHANNELS), content, readBy: [tx.actor.userId] };
  await queueChannelNotices(tx, [notice]);
});

/**
 * Sends a direct message to each person whom somebody else subscribed, but not to bots. See
 * protocol/channels#creation-effects.
 */
const subscribed = on(peopleSubscribed, async (tx, { subscribed: pairs }) => {
  const channels = grouped(pairs.map(({ userId, channel }) => [userId, channel]));
  const users = [...(await findUsers(tx, [...channels.keys()])).values()];
  const nameFor = await namesOf(tx, users);
  const recipients = users.filter((user) => !user.is_bot && channels.has(user.id));
  const notices = recipients.map((user) => {
    const links = (channels.get(user.id) ?? []).map(channelLink);
    return { userId: user.id, content: wordsOf(tx.realm).subscribed(nameFor(user), links) };
  });
  await queueDirectNotices(tx, notices);
});

/** Posts one message for each kind of change that matters to people in the channel. See protocol/channels#notices. */
const updated = on(channelUpdated, async (tx, { before, after, settings }) => {
  const who = mentionOf(tx.actor);
  const words = wordsOf(tx.realm);
  const contents: string[] = [];
  if (before.topics_policy !== after.topics_policy)
    contents.push(words.topics(who, words.policies[before.topics_policy], words.policies[after.topics_policy]));
  if (kindOf(before) !== kindOf(after))
    contents.push(words.access(who, words.kinds[kindOf(before)], words.kinds[kindOf(after)]));
  if (before.message_retention_days !== after.message_retention_days) {
    const usual = (await realmSettings(tx)).message_retention_days;
    const [old, next] = [before, after].map((one) => retentionOf(one.message_retention_days, usual, words));
    contents.push(words.retention(who, old ?? '', next ?? '', after.message_retention_days ?? usual));
  }
  if (before.is_archived && !after.is_archived) contents.push(words.unarchived(channelLink(after)));
  if (before.description !== after.description) {
    const [old, next] = [before, after].map((one) => quotedDescription(one.description, words));
    contents.push(words.description(who, old ?? '', next ?? ''));
  }
  if (before.name !== after.name) contents.push(words.renamed(who, verbatim(before.name), verbatim(after.name)));
  const posting = settings.find(({ name }) => name === 'can_send_message_group');
  if (posting) contents.push(await postingNotice(tx, words, posting));
  await post(
    tx,
    contents.map((content) => ({ channel: after, content })),
  );
});

async function postingNotice(tx: ActorWriteTx, words: NoticeWords, change: SettingChange): Promise<string> {
  return words.posting(mentionOf(tx.actor), await holders(tx, change.old), await holders(tx, change.value));
}

/** A silent mention of a group; only its name where it cannot be in one. */
function groupMention(name: string): string {
  return name.includes('*') ? verbatim(name) : `@_*${name}*`;
}

/** The groups and people of a permission, as silent mentions. */
async function holders(tx: RealmReadTx, value: GroupSettingValue): Promise<string> {
  const groupIds = typeof value === 'number' ? [value] : value.direct_subgroups;
  const userIds = typeof value === 'number' ? [] : value.direct_members;
  const groups = [...(await findGroups(tx, groupIds)).values()].map((group) => groupMention(group.name));
  const users = [...(await findUsers(tx, userIds)).values()].map(silentMention);
  return [...groups, ...users].join(', ');
}

/** Posts a last message to a channel that was archived. See protocol/channels#archiving. */
const archived = on(channelArchived, (tx, { channel }) =>
  post(tx, [{ channel, content: wordsOf(tx.realm).archived(channelLink(channel)) }]),
);

export const channelNotices = [created, subscribed, updated, archived];
