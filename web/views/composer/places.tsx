import type { Client } from '../../client/index.ts';
import type { CompletionOption } from '../../compose/index.ts';
import { inConversation } from '../../messages/index.ts';
import { type Channel, type Conversation, mayIn, othersIn } from '../../model/index.ts';
import { Avatar } from '../../ui/index.ts';
import { ChannelIcon } from '../../ui/channel-icon.tsx';
import { t } from '../../words/index.ts';
import { channelsByName, named, type NamedChannel, ranked } from '../overlays/rank.ts';
import { channelLook, faceOf, topicName } from '../shown.ts';
import { candidates } from './candidates.ts';

/** Most options at once. */
const MOST = 8;

/** A channel to write to; undefined for a direct message instead. */
export interface PlaceOption extends CompletionOption {
  readonly channelId: number | undefined;
}

/**
 * Finds channels by name: first those that the viewer may post in, then others with the reason; direct messages are
 * always the last option.
 */
export function placesFor(client: Client, query: string): readonly PlaceOption[] {
  const [open, closed]: [NamedChannel[], NamedChannel[]] = [[], []];
  for (const one of channelsByName(client))
    if (one.row.membership === 'subscribed' && !one.row.channel.is_archived)
      (refusalOf(client, one.row) === undefined ? open : closed).push(one);
  const channels = ranked([...open, ...closed], query, MOST).map(({ id, name, row }) => ({
    key: `c${id}`,
    channelId: id,
    name,
    lead: <ChannelIcon channel={channelLook(client, id)} small />,
    refusal: refusalOf(client, row) && t('compose.mayNotPostHere'),
  }));
  const direct = { key: 'direct', channelId: undefined, name: t('compose.directInstead'), icon: 'people' as const };
  return [...channels, direct];
}

/**
 * Returns why the viewer may not write to a conversation, by the server's rules. See protocol/messages#posting and
 * #recipients.
 */
export function refusalIn(client: Client, conversation: Conversation): string | undefined {
  if ('people' in conversation) return goneFrom(client, conversation);
  const row = client.model.channels.table.get(conversation.channelId);
  return row && refusalOf(client, row);
}

type Direct = Extract<Conversation, { readonly people: unknown }>;

/** About a deactivated person, unless others of the conversation are active and it has messages. */
function goneFrom(client: Client, conversation: Direct): string | undefined {
  const others = othersIn(conversation, client.model.me).flatMap((id) => client.model.people.table.get(id) ?? []);
  const gone = others.find(({ isActive }) => !isActive);
  if (!gone) return undefined;
  const { ids, isKnown } = client.messages.window(inConversation(conversation));
  if (others.some(({ isActive }) => isActive) && (!isKnown.value || ids.value.length > 0)) return undefined;
  return t('compose.gone', { name: gone.user.full_name });
}

function refusalOf({ model }: Client, { channel }: Channel): string | undefined {
  const { name, can_send_message_group: holders } = channel;
  if (channel.is_archived) return t('compose.archived', { name });
  // Administrators get no exception: the channel's own permission decides.
  return holders === undefined || mayIn(model.facts, undefined, holders)
    ? undefined
    : t('compose.mayNotPost', { name });
}

/** Finds topics of a channel by name, the newest first. */
export function topicsFor(client: Client, channelId: number, query: string): readonly CompletionOption[] {
  const known = client.topics.watch(channelId).value ?? [];
  const all = known.filter(({ name }) => name !== '' && name !== query).map(({ name }) => named({ name }));
  return ranked(all, query, MOST).map(({ name }) => ({ key: name, name, icon: 'hash' as const }));
}

/** Whether a channel requires or forbids names of topics. See protocol/topics#the-empty-topic. */
export function topicRule({ model }: Client, channelId: number): 'free' | 'required' | 'none' {
  const policy = model.channels.table.get(channelId)?.channel.topics_policy ?? 'inherit';
  if (policy === 'empty_topic_only') return 'none';
  if (policy === 'disable_empty_topic') return 'required';
  return policy === 'inherit' && model.facts.get('realm_mandatory_topics') === true ? 'required' : 'free';
}

/** What a field for a topic shows while it is empty: the name of the topic without one, or that one is needed. */
export function topicPlaceholder(client: Client, channelId: number): string {
  return topicRule(client, channelId) === 'required' ? t('compose.topicRequired') : topicName('');
}

/** A person to write to. */
export interface PersonOption extends CompletionOption {
  readonly id: number;
}

/** Finds people by name, except those who are recipients already. */
export function personsFor(client: Client, query: string, except: readonly number[]): readonly PersonOption[] {
  const all = candidates(client).filter(({ id }) => !except.includes(id));
  return ranked(all, query, MOST).map(({ id, name }) => ({
    key: `p${id}`,
    id,
    name,
    lead: <Avatar face={faceOf(client, id)} size={24} presence={client.model.presences.of(id)} />,
    note: id === client.model.me ? t('person.you') : undefined,
  }));
}
