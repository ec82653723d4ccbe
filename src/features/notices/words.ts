import type { ChannelRow } from '#features/channels';
import { quoted, silentMention } from '#features/messages';
import { guestsAmong, knows, readVisibility, type UserRow } from '#features/users';
import type { ActorReadTx } from '#kernel/auth';

/** A link to a channel. */
export function channelLink(channel: Pick<ChannelRow, 'name'>): string {
  return `#**${channel.name}**`;
}

/** A description as a quotation. */
export function quotedDescription(text: string): string {
  return text === '' ? '*No description.*' : quoted(text);
}

/** The kind of a channel in words. See protocol/channels#creation-effects. */
export function kindOf(
  channel: Pick<ChannelRow, 'invite_only' | 'is_web_public' | 'history_public_to_subscribers'>,
): string {
  if (channel.is_web_public) return 'Web-public';
  if (!channel.invite_only) return 'Public';
  return channel.history_public_to_subscribers ? 'Private, shared history' : 'Private, protected history';
}

/** A retention period in words. See protocol/channels#notices. */
export function retentionOf(days: number | null, ofOrganization: number): string {
  const chosen = days ?? ofOrganization;
  const period = chosen === -1 ? 'forever' : `${chosen} ${chosen === 1 ? 'day' : 'days'}`;
  return days === null ? `the organization's default (${period})` : period;
}

const POLICIES: Readonly<Record<ChannelRow['topics_policy'], string>> = {
  inherit: 'as in the organization',
  allow_empty_topic: 'messages without a topic are allowed',
  disable_empty_topic: 'messages without a topic are not allowed',
  empty_topic_only: 'all messages go without a topic',
};

export function topicsPolicyOf(channel: Pick<ChannelRow, 'topics_policy'>): string {
  return POLICIES[channel.topics_policy];
}

/**
 * Returns a function that names the actor in notices for single people: guests who may not know of the actor get no
 * name. See protocol/events#audiences, SEES.
 */
export async function namesOf(tx: ActorReadTx, readers: readonly UserRow[]): Promise<(reader: UserRow) => string> {
  const visibility = await readVisibility(tx, guestsAmong(tx.realm, readers));
  const { actor } = tx;
  const name = silentMention({ full_name: actor.fullName, id: actor.userId });
  const who = { id: actor.userId, is_bot: actor.isBot };
  return (reader) => (knows(visibility, reader.id, who) ? name : 'Somebody');
}
