import { lookUp } from '#kernel/lists';
import { inConversation, type Narrow, type Term } from '../messages/index.ts';
import { type Conversation, othersIn } from '../model/index.ts';
import { decodeHash, encodeHash } from './hash.ts';

/** The view that an address leads to. */
export type Route =
  | { readonly view: 'narrow'; readonly narrow: Narrow; readonly near?: number; readonly with?: number }
  | { readonly view: 'inbox' | 'recent' | 'feed' | 'drafts' | 'scheduled' | 'reminders' }
  | { readonly view: 'topics'; readonly channelId: number }
  | { readonly view: 'channels' | 'groups'; readonly section: string; readonly id?: number; readonly tab?: string }
  | { readonly view: 'settings' | 'organization'; readonly section: string }
  | { readonly view: 'user'; readonly id: number; readonly section: string }
  | { readonly view: 'about' | 'keyboard' }
  /** An address without a view: shows the view that the person has chosen as home. */
  | { readonly view: 'home' };

/** What the parser of addresses needs: names of channels, and the viewer. */
export interface Names {
  /** Returns the ID of a channel by its name, for addresses in the old form; undefined for an unknown name. */
  channelNamed(name: string): number | undefined;
  nameOf(channelId: number): string | undefined;
  readonly me: number;
}

const PLAIN = ['inbox', 'recent', 'feed', 'drafts', 'scheduled', 'reminders'] as const;
/** Former names of views. */
const OLD: Readonly<Record<string, string>> = {
  recent_topics: 'recent',
  all_messages: 'feed',
  'all-messages': 'feed',
  'scheduled-messages': 'scheduled',
  streams: 'channels',
  'keyboard-shortcuts': 'keyboard',
  'about-zulip': 'about',
  'about-roost': 'about',
};
const OLD_OPERATORS: Readonly<Record<string, string>> = {
  stream: 'channel',
  streams: 'channels',
  'pm-with': 'dm',
  'group-pm-with': 'dm-including',
  subject: 'topic',
  from: 'sender',
};

/** Parses the fragment of an address; an invalid one leads to the home view. */
export function routeOf(hash: string, names: Names): Route {
  const [word = '', ...rest] = hash.replace(/^#/, '').split('/');
  const view = lookUp(OLD, word) ?? word;
  const plain = PLAIN.find((one) => one === view);
  if (plain) return { view: plain };
  switch (view) {
    case 'narrow':
      return narrowRoute(rest, names);
    case 'topics':
      return topicsRoute(rest, names);
    case 'channels':
    case 'groups':
      return managing(view, rest);
    case 'settings':
    case 'organization':
      return { view, section: rest.map(decodeHash).join('/') };
    case 'user':
      return { view, id: idIn(rest[0] ?? '') ?? 0, section: rest.slice(1).join('/') };
    case 'keyboard':
    case 'about':
      return { view };
    default:
      return { view: 'home' };
  }
}

function topicsRoute(rest: readonly string[], names: Names): Route {
  const channelId = channelIn(decodeHash(rest[1] ?? ''), names);
  return channelId === undefined ? { view: 'home' } : { view: 'topics', channelId };
}

function managing(view: 'channels' | 'groups', [first = '', , third = '']: readonly string[]): Route {
  const id = idIn(first);
  if (id === undefined) return { view, section: decodeHash(first) };
  return { view, section: 'one', id, ...(third !== '' && { tab: decodeHash(third) }) };
}

function narrowRoute(parts: readonly string[], names: Names): Route {
  const terms: Term[] = [];
  let near: number | undefined;
  let withId: number | undefined;
  for (let at = 0; at < parts.length; at += 2) {
    const word = decodeHash(parts[at] ?? '');
    const operand = decodeHash(parts[at + 1] ?? '');
    const negated = word.startsWith('-');
    const bare = negated ? word.slice(1) : word;
    const operator = lookUp(OLD_OPERATORS, bare) ?? bare;
    if (operator === 'near') near = idIn(operand);
    else if (operator === 'with') withId = idIn(operand);
    else if (operator !== '') {
      const value = operandOf(operator, operand, names);
      // A conversation that the viewer may not see looks like one that does not exist.
      terms.push({ operator, operand: value, ...(negated && { negated }) });
    }
  }
  return {
    view: 'narrow',
    narrow: terms,
    ...(near !== undefined && { near }),
    ...(withId !== undefined && { with: withId }),
  };
}

function operandOf(operator: string, operand: string, names: Names): Term['operand'] {
  if (operator === 'channel') return channelIn(operand, names) ?? operand;
  if (operator === 'sender' && operand === 'me') return names.me;
  if (operator === 'sender') return idIn(operand.replace(/^user/, '')) ?? operand;
  if (operator !== 'dm' && operator !== 'dm-including') return operand;
  const ids = operand
    .replace(/-[^,]*$/, '')
    .split(',')
    .map(Number);
  if (!ids.every((id) => Number.isSafeInteger(id) && id > 0)) return operand;
  const people = operator === 'dm' ? [...ids, names.me] : ids;
  return [...new Set(people)].toSorted((a, b) => a - b);
}

/** Finds a channel by "5-general", or by its name in the old form, with hyphens for spaces. */
function channelIn(operand: string, names: Names): number | undefined {
  const id = idIn(operand);
  if (id !== undefined && (names.nameOf(id) !== undefined || names.channelNamed(operand) === undefined)) return id;
  return names.channelNamed(operand) ?? names.channelNamed(operand.replaceAll('-', ' '));
}

function idIn(text: string): number | undefined {
  const digits = /^(\d{1,10})(?:-|$)/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The address of a route, with its `#`. */
export function hashOf(route: Route, names: Names): string {
  switch (route.view) {
    case 'narrow':
      return `#narrow${[...route.narrow.map((term) => hashOfTerm(term, names)), ...places(route)].join('')}`;
    case 'topics':
      return `#topics/channel/${channelSlug(route.channelId, names)}`;
    case 'channels':
    case 'groups':
      return managed(route);
    case 'settings':
    case 'organization':
      return route.section === '' ? `#${route.view}` : `#${route.view}/${route.section}`;
    case 'user':
      return `#user/${route.id}${route.section === '' ? '' : `/${route.section}`}`;
    case 'keyboard':
      return '#keyboard-shortcuts';
    case 'home':
      return '#';
    default:
      return `#${route.view}`;
  }
}

function managed({ view, section, id, tab }: Extract<Route, { readonly view: 'channels' | 'groups' }>): string {
  if (id === undefined) return section === '' ? `#${view}` : `#${view}/${section}`;
  return tab === undefined ? `#${view}/${id}` : `#${view}/${id}/-/${tab}`;
}

function places({ near, with: withId }: Extract<Route, { readonly view: 'narrow' }>): readonly string[] {
  return [...(near === undefined ? [] : [`/near/${near}`]), ...(withId === undefined ? [] : [`/with/${withId}`])];
}

function hashOfTerm({ operator, operand, negated }: Term, names: Names): string {
  return `/${negated === true ? '-' : ''}${operator}/${slugOf(operator, operand, names)}`;
}

function slugOf(operator: string, operand: Term['operand'], names: Names): string {
  if (operator === 'channel' && typeof operand === 'number') return channelSlug(operand, names);
  if (typeof operand !== 'object') return encodeHash(String(operand));
  if (operator !== 'dm') return operand.join(',');
  const others = othersIn({ people: operand }, names.me);
  return `${others.join(',')}-${others.length > 1 ? 'group' : 'dm'}`;
}

function channelSlug(channelId: number, names: Names): string {
  const name = names.nameOf(channelId);
  return name === undefined ? String(channelId) : `${channelId}-${encodeHash(name.replaceAll(' ', '-'))}`;
}

/** The address of a conversation, or of one of its messages. */
export function conversationHash(conversation: Conversation, names: Names, near?: number): string {
  const narrow = inConversation(conversation);
  return hashOf({ view: 'narrow', narrow, ...(near !== undefined && { near }) }, names);
}
