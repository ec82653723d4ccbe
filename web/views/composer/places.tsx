import type { Client } from '../../client/index.ts';
import type { CompletionOption } from '../../compose/index.ts';
import { type Channel, mayIn } from '../../model/index.ts';
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

/** Returns why the viewer may not post in a channel, by the server's rules. See protocol/messages#posting. */
export function refusalIn(client: Client, channelId: number): string | undefined {
  const row = client.model.channels.table.get(channelId);
  return row && refusalOf(client, row);
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
  return topicRule(client, channelId) === 'required' ? t('compose.topicRequired') : topicName(client, '');
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
