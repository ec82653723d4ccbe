import { type ChannelRow, findChannel } from '#features/channels';
import type { RealmRefReadTx } from '#kernel/auth';
import type { MessageId, UserId } from '#kernel/ids';
import type { MessageRow } from '../core/index.ts';
import { participantsOfMessage } from '../reading/index.ts';

/** A silent mention, which notifies nobody. */
export function silentMention(user: { readonly full_name: string; readonly id: UserId }): string {
  return `@_**${user.full_name}|${user.id}**`;
}

/** A link to a channel. */
export function channelLink(channel: NamedChannel): string {
  if (!/[*>]/.test(channel.name)) return `#**${channel.name}**`;
  return `[#${verbatim(channel.name)}](/#narrow/${channelPath(channel)})`;
}

/** A link to a topic. */
export function topicLink(channel: NamedChannel, topic: string): string {
  const isPlain = !/[*>]/.test(channel.name) && !/\*|@\d+$/.test(topic);
  if (isPlain) return `#**${channel.name}>${topic}**`;
  return `[#${verbatim(channel.name)} > ${verbatim(topic)}](/#narrow/${conversationPath({ channel, topic })})`;
}

type NamedChannel = Pick<ChannelRow, 'id' | 'name'>;

/**
 * Escapes a name that somebody chose, so that it is only text in a message of the server: nobody is mentioned by it, and
 * nothing else than the name is linked.
 */
export function verbatim(name: string): string {
  return name.replaceAll(/[*_`~[\]<>@#|:\\$]|&(?=#?\w+;)/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Quotes a text with a fence that nothing inside can close. */
export function quoted(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} quote\n${text}\n${fence}`;
}

/** The place of a message, for its address. */
export type Spot = { readonly channel: NamedChannel; readonly topic: string } | { readonly people: readonly UserId[] };

/** Address at which the web client of an organization shows a message. See protocol/markdown#channel-links. */
export function messageAddress(realmUrl: string, spot: Spot, id: MessageId): string {
  return `${realmUrl}/#narrow/${conversationPath(spot)}/near/${id}`;
}

/** The same for a message whose place is not known yet. */
export async function addressOfMessage(
  tx: RealmRefReadTx,
  message: Pick<MessageRow, 'id' | 'channel_id' | 'recipient_id' | 'topic'>,
): Promise<string> {
  const channel = message.channel_id === null ? undefined : await findChannel(tx, message.channel_id);
  const spot = channel ? { channel, topic: message.topic } : { people: await participantsOfMessage(tx, message) };
  return messageAddress(tx.realm.url, spot, message.id);
}

function conversationPath(spot: Spot): string {
  if ('people' in spot) return `dm/${spot.people.join(',')}`;
  return `${channelPath(spot.channel)}/topic/${hash(spot.topic)}`;
}

function channelPath({ id, name }: NamedChannel): string {
  return `channel/${hash(`${id}-${name.replaceAll(' ', '-')}`)}`;
}

/** Encodes a text for the fragment of an address. */
function hash(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/[.!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
}
