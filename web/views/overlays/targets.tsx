import type { ComponentChildren } from 'preact';
import { conversationHash, hashOf } from '../../addresses/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import {
  type Conversation,
  conversationOf,
  type ConversationKey,
  directWith,
  keyOf,
  mayIn,
} from '../../model/index.ts';
import { ChannelIcon } from '../../ui/channel-icon.tsx';
import { Avatar, type IconName } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';
import { type NamedPerson, peopleByName } from '../manage/people-by-name.ts';
import { mayCreateChannels, mayCreateGroups } from '../manage/rights.ts';
import { settingsOf } from '../manage/settings-contents.ts';
import { organizationPages, ownPages } from '../manage/settings-pages.ts';
import { channelLook, faceOf, titleOf } from '../shown.ts';
import { isUnnamed } from '../topic-name.tsx';
import { type Named, named } from './rank.ts';

/** Something that the palette opens or does. */
export interface Target extends Named {
  readonly key: string;
  readonly icon?: IconName | undefined;
  readonly lead?: ComponentChildren;
  readonly note?: string | undefined;
  /** Whether it is the topic without a name. */
  readonly isUnnamed?: boolean | undefined;
  readonly hash?: string | undefined;
  /** The conversation in whose composer the focus goes. */
  readonly composer?: Conversation | undefined;
  /** Text that replaces what is being typed. */
  readonly insert?: string | undefined;
  readonly run?: (() => void) | undefined;
}

/** Known conversations: those with unread messages, then by newest message, then direct ones, then channels. */
export function conversations(client: Client): readonly Target[] {
  const { model, messages } = client;
  const found = new Map<ConversationKey, Conversation>();
  const add = (one: Conversation) => found.set(keyOf(one), found.get(keyOf(one)) ?? one);
  for (const { conversation } of model.unread.conversations) add(conversation);
  const newest = [...messages.table.peekAll().values()].toSorted((a, b) => Number(b.id) - Number(a.id));
  for (const message of newest) add(conversationOf(message));
  for (const { user_ids } of model.facts.peek('recent_private_conversations') ?? [])
    add(directWith(user_ids, model.me));
  return [...[...found].map(([key, one]) => conversationTarget(client, key, one)), ...channels(client)];
}

function conversationTarget(client: Client, key: ConversationKey, conversation: Conversation): Target {
  const isDirect = 'people' in conversation;
  const look = isDirect ? undefined : channelLook(client, conversation.channelId);
  return named({
    key,
    name: titleOf(client, conversation),
    isUnnamed: isUnnamed(conversation),
    note: look?.name ?? t('list.direct'),
    ...(look ? { lead: <ChannelIcon channel={look} small /> } : { icon: 'people' as const }),
    hash: conversationHash(conversation, client.names),
  });
}

function channels(client: Client): readonly Target[] {
  return [...client.model.channels.table.peekAll()]
    .filter(([, { channel }]) => !channel.is_archived)
    .map(([id]) => {
      const look = channelLook(client, id);
      const hash = hashOf({ view: 'narrow', narrow: [{ operator: 'channel', operand: id }] }, client.names);
      const lead = <ChannelIcon channel={look} small />;
      return named({ key: `channel${id}`, name: look.name, note: t('palette.channel'), lead, hash });
    });
}

/**
 * People with an active account, to write to: those of recent conversations first, then the others by name, then bots.
 * The server's own bots answer nobody, so they are left out.
 */
export function people(client: Client): readonly Target[] {
  const { model, names } = client;
  const recent = model.facts.peek('recent_private_conversations') ?? [];
  const partners = new Map<number | undefined, number>(
    recent.flatMap(({ user_ids }, at) => (user_ids.length === 1 ? [[user_ids[0], at]] : [])),
  );
  const rankOf = ({ id, person }: NamedPerson) => partners.get(id) ?? recent.length + Number(person.user.is_bot);
  return peopleByName(client)
    .filter(({ person }) => person.isActive && person.user.is_system_bot !== true)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map(({ id, person: { user } }) =>
      named({
        key: `person${id}`,
        name: user.full_name,
        note: user.delivery_email ?? undefined,
        lead: <Face id={id} />,
        hash: conversationHash(directWith([id], model.me), names),
        composer: directWith([id], model.me),
      }),
    );
}

/** A component, so that only visible pictures are drawn: of ten thousand people most are not. */
function Face({ id }: { readonly id: number }) {
  return <Avatar face={faceOf(useClient(), id)} size={20} />;
}

const VIEWS = [
  ['nav.inbox', 'inbox', '#inbox'],
  ['nav.recentLong', 'clock', '#recent'],
  ['nav.feed', 'feed', '#feed'],
  ['nav.mentions', 'at', '#narrow/is/mentioned'],
  ['nav.starred', 'star', '#narrow/is/starred'],
  ['nav.reactions', 'smile', '#narrow/has/reaction/sender/me'],
  ['nav.drafts', 'pencil', '#drafts'],
  ['nav.scheduled', 'calendar', '#scheduled'],
  ['nav.reminders', 'bellclock', '#reminders'],
  ['sidebar.browse', 'hash', '#channels/all'],
  ['settings.title', 'gear', '#settings'],
] as const;

/** The views. */
export const views = (): readonly Target[] =>
  VIEWS.map(([word, icon, hash]) => named({ key: hash, name: t(word), icon, hash }));

/** The pages of the reader's settings and of the organization's, then the settings on them. */
export function settings({ model }: Client): readonly Target[] {
  const organization = model.facts.peek('realm_name') ?? '';
  const isOwner = model.facts.peek('is_owner') === true;
  const pages = [
    ...ownPages().map((page) => ({ ...page, note: t('settings.title') })),
    ...organizationPages().map((page) => ({ ...page, note: organization })),
  ];
  return [
    ...pages.map(({ href, label, icon, note }) => named({ key: href, name: label, note, icon, hash: href })),
    ...pages.flatMap(({ href: page, label: note, icon }) =>
      settingsOf(page, isOwner).map(({ label, href, folded }) => ({
        key: href,
        name: label,
        folded,
        note,
        icon,
        hash: href,
      })),
    ),
  ];
}

export function actions(client: Client, showKeys: () => void): readonly Target[] {
  return [
    named({ key: 'keys', name: t('key.help'), icon: 'keyboard' as const, run: showKeys }),
    ...(mayCreateChannels(client)
      ? [named({ key: 'new-channel', name: t('channels.new'), icon: 'hash' as const, hash: '#channels/new' })]
      : []),
    ...(mayCreateGroups(client)
      ? [named({ key: 'new-group', name: t('groups.new'), icon: 'people' as const, hash: '#groups/new' })]
      : []),
    ...(mayIn(client.model.facts, 'realm_can_invite_users_group') ||
    mayIn(client.model.facts, 'realm_create_multiuse_invite_group')
      ? [named({ key: 'invite', name: t('org.invite'), icon: 'mail' as const, hash: '#organization/invites' })]
      : []),
    named({ key: 'log-out', name: t('org.logOut'), icon: 'signout' as const, run: () => void client.logOut() }),
  ];
}

const OPERATORS = ['channel', 'topic', 'sender', 'dm', 'is', 'has'] as const;

/** The operators of a search, then those of channels and senders with names; choosing one inserts it. */
export function operators(client: Client): readonly Target[] {
  const withNames = (operator: string, targets: readonly Target[]) =>
    targets.map((one) => named({ ...one, name: `${operator}:${one.name}`, insert: `${operator}:"${one.name}" ` }));
  return [
    ...OPERATORS.map((one) =>
      named({
        key: `operator-${one}`,
        name: t(`search.${one}`),
        note: t(`search.${one}Hint`),
        icon: 'filter' as const,
        insert: t(`search.${one}`),
      }),
    ),
    ...withNames('channel', channels(client)),
    ...withNames('sender', people(client)),
  ];
}
