import type { Client } from '../client/index.ts';
import type { Conversation } from '../model/index.ts';
import { othersIn, timeStyleOf } from '../model/index.ts';
import type { ChannelLook } from '../ui/channel-icon.tsx';
import type { Face } from '../ui/index.ts';
import { renderedText } from '../rendered/index.ts';
import { longDay, t, type TimeStyle } from '../words/index.ts';
import { withoutMark } from './topic/resolving.ts';

/** Returns a person as they are drawn; subscribes to their row. */
export function faceOf({ model }: Client, id: number): Face {
  const person = model.people.table.get(id);
  if (!person) return { id, name: `#${id}` };
  const { user } = person;
  return { id, name: user.full_name, isBot: user.is_bot, ...picture(user.avatar_url) };
}

/** Only uploaded pictures are fetched: the client draws the generated ones itself. */
function picture(url: string | null): { readonly picture?: string } {
  return url === null || !url.startsWith('/user_avatars/') || url.includes('/generated/') ? {} : { picture: url };
}

/** Returns a channel as it is drawn; an unknown one has its number for a name. */
export function channelLook({ model }: Client, id: number): ChannelLook & { readonly name: string } {
  const row = model.channels.table.get(id);
  if (!row) return { name: `#${id}`, kind: 'private', color: '#888888' };
  const { channel } = row;
  const kind = channel.is_web_public ? 'web-public' : channel.invite_only ? 'private' : 'public';
  return { name: channel.name, kind, color: row.membership === 'never' ? '#76ce90' : row.channel.color };
}

/** Returns the first line of a channel's description, as it is rendered. */
export function firstLine({ rendered_description }: { readonly rendered_description: string }): string {
  return renderedText(rendered_description).trimStart().split('\n', 1)[0] ?? '';
}

/** Returns the title of a conversation. */
export function titleOf(client: Client, conversation: Conversation): string {
  if ('people' in conversation)
    return othersIn(conversation, client.model.me)
      .map((id) => faceOf(client, id).name)
      .join(', ');
  return topicName(conversation.topic);
}

/** Returns a topic's name; the empty one is replaced by a text. */
export function topicName(topic: string): string {
  return topic === '' ? t('topic.unnamed') : topic;
}

/** Returns a topic's name without the resolved mark, where an icon replaces that. */
export function unmarkedName(topic: string): string {
  return topicName(withoutMark(topic));
}

/** Returns how times are written for the viewer. */
export function timeStyle({ model }: Client): TimeStyle {
  return timeStyleOf(model);
}

/** A day in words, as near or far as it is from today. */
export function dayOf(client: Client, seconds: number): string {
  return longDay(seconds, client.clock.now() / 1000, timeStyle(client));
}
