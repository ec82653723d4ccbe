import { EMPTY_TOPIC_NAME } from '#kernel/text';
import type { Client } from '../client/index.ts';
import type { Conversation } from '../model/index.ts';
import { othersIn } from '../model/index.ts';
import type { ChannelLook } from '../ui/channel-icon.tsx';
import type { Face } from '../ui/index.ts';
import type { TimeStyle } from '../words/index.ts';
import { withoutMark } from './topic/resolving.ts';

/** A person as they are shown, with a subscription to what is known of them. */
export function faceOf({ model }: Client, id: number): Face {
  const person = model.people.table.get(id);
  if (!person) return { id, name: `#${id}` };
  const { user } = person;
  return { id, name: user.full_name, isBot: user.is_bot, ...picture(user.avatar_url) };
}

/** Drawn pictures are drawn by us as well: only a picture of somebody's own is fetched. */
function picture(url: string | null): { readonly picture?: string } {
  return url === null || !url.startsWith('/user_avatars/') || url.includes('/generated/') ? {} : { picture: url };
}

/** A channel as it is shown; one that is not known has a number for a name. */
export function channelLook({ model }: Client, id: number): ChannelLook & { readonly name: string } {
  const row = model.channels.table.get(id);
  if (!row) return { name: `#${id}`, kind: 'private', color: '#888888' };
  const { channel } = row;
  const kind = channel.is_web_public ? 'web-public' : channel.invite_only ? 'private' : 'public';
  return { name: channel.name, kind, color: row.tie === 'never' ? '#76ce90' : row.channel.color };
}

/** What a conversation is called. */
export function titleOf(client: Client, conversation: Conversation): string {
  if ('people' in conversation)
    return othersIn(conversation, client.model.me)
      .map((id) => faceOf(client, id).name)
      .join(', ');
  return topicName(client, conversation.topic);
}

/** The topic without a name has one of ours. */
export function topicName({ model }: Client, topic: string): string {
  return topic === '' ? (model.facts.get('realm_empty_topic_display_name') ?? EMPTY_TOPIC_NAME) : topic;
}

/** A topic's name where a mark of ours says that it is resolved. */
export function unmarkedName(client: Client, topic: string): string {
  return topicName(client, withoutMark(topic));
}

/** How this person reads times. */
export function timeStyle({ model }: Client): TimeStyle {
  const settings = model.facts.get('user_settings');
  const hour12 = settings?.twenty_four_hour_time === false;
  return { locale: 'en-GB', timeZone: undefined, hour12 };
}
