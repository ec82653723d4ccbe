import type { RealmRef } from '#kernel/auth';
import type { MessageId, UserId } from '#kernel/ids';
import type { ReadContext } from '#kernel/context';
import type { ChannelRow } from '#features/channels';

/** A mention that notifies nobody. */
export function silentMention(user: { readonly full_name: string; readonly id: UserId }): string {
  return `@_**${user.full_name}|${user.id}**`;
}

/** A link to a topic. */
export function topicLink(channel: Pick<ChannelRow, 'name'>, topic: string): string {
  return `#**${channel.name}>${topic}**`;
}

/** A text as a quotation that nothing inside can end. */
export function quoted(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} quote\n${text}\n${fence}`;
}

/** Where a message is, for an address of one. */
export type Spot =
  | { readonly channel: Pick<ChannelRow, 'id' | 'name'>; readonly topic: string }
  | { readonly people: readonly UserId[] };

/** Address at which the web client shows a message. See protocol/markdown#channel-links. */
export function messageAddress(context: ReadContext, realm: RealmRef, spot: Spot, id: MessageId): string {
  return `${context.realmUrl(realm)}/#narrow/${conversationPath(spot)}/near/${id}`;
}

function conversationPath(spot: Spot): string {
  if ('people' in spot) return `dm/${spot.people.join(',')}`;
  const { channel, topic } = spot;
  return `channel/${hash(`${channel.id}-${channel.name.replaceAll(' ', '-')}`)}/topic/${hash(topic)}`;
}

/** A text as a part of an address after #. */
function hash(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/[.!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
}
