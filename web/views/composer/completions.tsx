import type { ComponentChildren } from 'preact';
import { type Client, findEmoji, type TopicOfChannel } from '../../client/index.ts';
import type { CompletionOption } from '../../compose/index.ts';
import type { Conversation } from '../../model/index.ts';
import { Avatar } from '../../ui/index.ts';
import { ChannelIcon } from '../../ui/channel-icon.tsx';
import { t } from '../../words/index.ts';
import { EmojiPicture } from '../emoji-picture.tsx';
import { channelsByName, named, ranked } from '../overlays/rank.ts';
import { channelLook, faceOf, firstLine } from '../shown.ts';
import { candidates } from './candidates.ts';
import type { Token } from './token.ts';

/** A completion of a token. */
export interface Offer extends CompletionOption {
  /** Returns the text that replaces the token; `isSilent`: the mention notifies nobody. */
  readonly insert: (isSilent: boolean) => string;
}

/** Completions, or a promise of them when their list must be fetched first. */
export type Offers = readonly Offer[] | Promise<readonly Offer[]>;

/** Most options at once. */
const MOST = 8;
const LANGUAGES = [
  'bash',
  'c',
  'cpp',
  'css',
  'diff',
  'go',
  'html',
  'java',
  'javascript',
  'json',
  'math',
  'python',
  'quote',
];
const MORE_LANGUAGES = ['ruby', 'rust', 'shell', 'spoiler', 'sql', 'toml', 'typescript', 'xml', 'yaml'];

/** Finds completions of a token, the most likely first. */
export function offersFor(client: Client, token: Token, conversation: Conversation): Offers {
  switch (token.kind) {
    case 'mention':
      return mentions(client, token, conversation);
    case 'channel':
      return channels(client, token.query);
    case 'topic':
      return topics(client, token);
    case 'emoji':
      return emoji(client, token.query);
    case 'command':
      return commands(client, token.query);
    case 'language':
      return [...LANGUAGES, ...MORE_LANGUAGES]
        .filter((name) => token.query !== '' && name.startsWith(token.query) && name !== token.query)
        .slice(0, MOST)
        .map((name) => ({ key: name, name, icon: 'code', insert: () => name }));
  }
}

const COMMANDS = ['me', 'poll', 'todo'] as const;

/** Finds slash commands of the server, then those of the organization's bots. */
function commands({ model }: Client, query: string): readonly Offer[] {
  const own = COMMANDS.map((name) => ({ key: name, name, note: t(`complete.${name}`), end: undefined }));
  const ofBots = (model.facts.peek('bot_commands') ?? []).flatMap(({ id, name, description, usage_hint, bot_id }) => {
    const bot = model.people.table.peek(bot_id);
    return bot?.isActive === true
      ? [{ key: `b${id}`, name, note: `${usage_hint} ${description}`.trim(), end: bot.user.full_name }]
      : [];
  });
  return [...own, ...ofBots]
    .filter(({ name }) => name.startsWith(query))
    .slice(0, MOST)
    .map(({ name, ...rest }) => ({ ...rest, name: `/${name}`, icon: 'code', insert: () => `/${name} ` }));
}

function mentions(client: Client, { query, isSilent = false }: Token, conversation: Conversation): readonly Offer[] {
  const here = peopleIn(client, conversation);
  const all = candidates(client);
  const near = all.filter(({ id }) => here.has(id));
  // People of the conversation come first; thousands of others are not sorted for that.
  const persons = near.length === 0 ? all : [...near, ...all.filter(({ id }) => !here.has(id))];
  const found = ranked(here.size > 0 && query === '' ? near : persons, query, MOST);
  const people: readonly Offer[] = found.map(({ id, name, isDouble }) => ({
    key: `p${id}`,
    name,
    lead: <Avatar face={faceOf(client, id)} size={24} presence={client.model.presences.of(id)} />,
    note: id === client.model.me ? t('person.you') : undefined,
    end: here.has(id) ? t('complete.inTopic') : undefined,
    insert: (silent) => `@${silent || isSilent ? '_' : ''}**${name}${isDouble ? `|${id}` : ''}** `,
  }));
  return [...people, ...groups(client, query, isSilent), ...wildcards(query, conversation, isSilent)].slice(
    0,
    MOST + 3,
  );
}

/** IDs of the people of a conversation; in a topic, of the senders of known messages. */
function peopleIn({ messages, model }: Client, conversation: Conversation): ReadonlySet<number> {
  if ('people' in conversation) return new Set(conversation.people);
  const found = new Set<number>();
  for (const one of messages.table.peekAll().values())
    if (one.stream_id === conversation.channelId && one.subject === conversation.topic) found.add(one.sender_id);
  found.delete(model.me);
  return found;
}

function groups({ model }: Client, query: string, isSilent: boolean): readonly Offer[] {
  const all = (model.facts.peek('realm_user_groups') ?? []).filter(
    ({ is_system_group, deactivated }) => !is_system_group && !deactivated,
  );
  return ranked(
    all.map(({ id, name, members }) => named({ key: `g${id}`, name, count: members.length })),
    query,
    3,
  ).map(({ key, name, count }) => ({
    key,
    name: `@${name}`,
    icon: 'people',
    note: t('complete.members', { count }),
    end: t('complete.group'),
    insert: (silent) => `@${silent || isSilent ? '_' : ''}*${name}* `,
  }));
}

function wildcards(query: string, conversation: Conversation, isSilent: boolean): readonly Offer[] {
  if (isSilent) return [];
  const words = 'people' in conversation ? (['all'] as const) : (['all', 'topic'] as const);
  return words
    .filter((word) => word.startsWith(query.toLowerCase()))
    .map((word) => ({
      key: `w${word}`,
      name: `@${word}`,
      icon: 'at',
      note: t(`complete.${word}`),
      insert: () => `@**${word}** `,
    }));
}

function channels(client: Client, query: string): readonly Offer[] {
  const all = channelsByName(client).filter(({ row }) => !row.channel.is_archived);
  return ranked(all, query, MOST).map(({ id, name, row, match }) => ({
    key: `c${id}`,
    name,
    match,
    lead: glyph(<ChannelIcon channel={channelLook(client, id)} small />),
    note: firstLine(row.channel),
    insert: () => `#**${name}** `,
  }));
}

const glyph = (inside: ComponentChildren) => <span class="glyph">{inside}</span>;

function topics(client: Client, { channel = '', query }: Token): Offers {
  const id = client.names.channelNamed(channel);
  if (id === undefined) return [];
  const offer = (all: readonly TopicOfChannel[]) =>
    ranked(
      all.map(({ name }) =>
        named({ key: name, name, icon: 'hash' as const, insert: () => `#**${channel}>${name}** ` }),
      ),
      query,
      MOST,
    );
  const current = client.topics.current(id);
  return current ? offer(current) : client.topics.of(id).then(offer);
}

function emoji(client: Client, query: string): Offers {
  const offer = () => emojiNamed(client, query);
  return client.emoji.isLoaded ? offer() : client.emoji.load().then(offer);
}

function emojiNamed(client: Client, query: string): readonly Offer[] {
  return findEmoji(client.emoji.all.peek(), query, MOST).map((one) => ({
    key: `${one.type} ${one.code}`,
    name: `:${one.name}:`,
    lead: glyph(
      <span class="emoji">
        <EmojiPicture emoji={one} />
      </span>,
    ),
    insert: () => {
      client.emoji.chosen(one);
      return `:${one.name}: `;
    },
  }));
}
