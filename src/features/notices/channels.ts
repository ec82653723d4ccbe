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
import { silentMention } from '#features/messages';
import { readRealm, type RealmSettings, settingsOf } from '#features/realms';
import { findUsers } from '#features/users';
import { queueChannelNotices, queueDirectNotices } from './jobs.ts';
import { channelLink, kindOf, namesOf, quotedDescription, retentionOf, topicsPolicyOf } from './words.ts';

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
  const sayings = channels.map((channel) => ({
    channel,
    content: `**${kindOf(channel)}** channel created by ${mentionOf(tx.actor)}. **Description:**\n${quotedDescription(channel.description)}`,
  }));
  await post(tx, sayings);
  if (!announce) return;
  const id = (await realmSettings(tx)).new_stream_announcements_stream_id;
  const place = id > 0 ? await findChannel(tx, asId<ChannelId>(id)) : undefined;
  if (!place) return;
  const links = channels.map(channelLink).join(', ');
  const content = `${mentionOf(tx.actor)} created ${channels.length === 1 ? 'a new channel' : 'new channels'} ${links}.`;
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
    const what =
      links.length === 1
        ? ` subscribed you to ${links[0]}.`
        : ` subscribed you to the following channels:\n${links.map((link) => `* ${link}`).join('\n')}`;
    return { userId: user.id, content: nameFor(user) + what };
  });
  await queueDirectNotices(tx, notices);
});

/** Posts one message for each kind of change that matters to people in the channel. See protocol/channels#notices. */
const updated = on(channelUpdated, async (tx, { before, after, settings }) => {
  const who = mentionOf(tx.actor);
  const contents: string[] = [];
  if (before.topics_policy !== after.topics_policy)
    contents.push(
      `${who} changed the rule for topics in this channel from *${topicsPolicyOf(before)}* to *${topicsPolicyOf(after)}*.`,
    );
  if (kindOf(before) !== kindOf(after))
    contents.push(`${who} changed the access of this channel from **${kindOf(before)}** to **${kindOf(after)}**.`);
  if (before.message_retention_days !== after.message_retention_days)
    contents.push(retentionNotice(who, before, after, (await realmSettings(tx)).message_retention_days));
  if (before.is_archived && !after.is_archived) contents.push(`Channel ${channelLink(after)} has been unarchived.`);
  if (before.description !== after.description)
    contents.push(
      `${who} changed the description of this channel.\n\n**Old description:**\n${quotedDescription(before.description)}\n\n` +
        `**New description:**\n${quotedDescription(after.description)}`,
    );
  if (before.name !== after.name) contents.push(`${who} renamed channel **${before.name}** to **${after.name}**.`);
  const posting = settings.find(({ name }) => name === 'can_send_message_group');
  if (posting) contents.push(await postingNotice(tx, who, posting));
  await post(
    tx,
    contents.map((content) => ({ channel: after, content })),
  );
});

function retentionNotice(who: string, before: ChannelRow, after: ChannelRow, ofOrganization: number): string {
  const next = retentionOf(after.message_retention_days, ofOrganization);
  const previous = retentionOf(before.message_retention_days, ofOrganization);
  const days = after.message_retention_days ?? ofOrganization;
  const summary =
    days === -1
      ? 'Messages in this channel will be kept forever.'
      : `Messages in this channel will be deleted ${days} days after they were sent.`;
  return `${who} changed how long messages are kept in this channel from **${previous}** to **${next}**. ${summary}`;
}

async function postingNotice(tx: RealmReadTx, who: string, change: SettingChange): Promise<string> {
  const from = await holders(tx, change.old);
  const to = await holders(tx, change.value);
  return `${who} changed who may post in this channel.\n\n* **Old:** ${from}\n* **New:** ${to}`;
}

/** The groups and people of a permission, as silent mentions. */
async function holders(tx: RealmReadTx, value: GroupSettingValue): Promise<string> {
  const groupIds = typeof value === 'number' ? [value] : value.direct_subgroups;
  const userIds = typeof value === 'number' ? [] : value.direct_members;
  const groups = [...(await findGroups(tx, groupIds)).values()].map((group) => `@_*${group.name}*`);
  const users = [...(await findUsers(tx, userIds)).values()].map(silentMention);
  return [...groups, ...users].join(', ');
}

/** Posts a last message to a channel that was archived. See protocol/channels#archiving. */
const archived = on(channelArchived, (tx, { channel }) =>
  post(tx, [{ channel, content: `Channel ${channelLink(channel)} has been archived.` }]),
);

export const channelNotices = [created, subscribed, updated, archived];
