import { type Element, element, text } from '../tree.ts';
import type { MentionableGroup, MentionableUser } from '../world.ts';
import { type InlineContext, syntax } from './context.ts';
import { isBoundary, replaceMatches } from './scan.ts';

const users = /@(_?)\*\*([^*]+)\*\*/g;
const groups = /@(_?)\*([^*]+)\*/g;
const named = /^([^|]*)\|([0-9]+)$/;

/** Characters that may precede a mention, besides white space (protocol/markdown#elements). */
const BEFORE_MENTION = '\'"({[/<';
/** Names of the channel wildcard, in lower case only. */
const channelWildcards: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream']);

/** Display names of system groups (protocol/markdown#group-mentions). */
const systemGroupNames: Readonly<Record<string, string>> = {
  'role:owners': 'Owners',
  'role:administrators': 'Administrators',
  'role:moderators': 'Moderators',
  'role:fullmembers': 'Full members',
  'role:members': 'Members',
  'role:everyone': 'Everyone',
  'role:internet': 'Everyone on the internet',
  'role:nobody': 'Nobody',
};

/** Parses `@**name**`, `@**name|id**` and the wildcards (protocol/markdown#user-mentions). */
export const userMentions = syntax('@', (text, context) => {
  if (!context.lookups.realm || !text.includes('@')) return text;
  return replaceMatches(text, users, (match) => {
    if (!isBoundary(text, match.index, BEFORE_MENTION)) return undefined;
    const silent = match[1] === '_' || context.quoted;
    const node = mention(context.stash.restore(match[2] ?? ''), silent, context);
    return node && context.stash.put(node, match[0]);
  });
});

function mention(name: string, silent: boolean, context: InlineContext): Element | undefined {
  if (channelWildcards.has(name)) {
    if (!silent) context.findings.mentionsChannel = true;
    return wildcard(name, silent);
  }
  if (name === 'topic') {
    if (!silent) context.findings.mentionsTopic = true;
    return topicWildcard(silent);
  }
  const user = findUser(name, context);
  if (!user) return undefined;
  const loud = !silent && user.is_active;
  if (loud) context.findings.mentionedUsers.add(user.user_id);
  return userMention(user, loud);
}

/** With an ID, the name may be empty or must be equal; without, case is ignored. */
function findUser(name: string, { lookups }: InlineContext): MentionableUser | undefined {
  const withId = named.exec(name);
  const user = withId && lookups.userWithId(Number(withId[2]));
  if (user && (withId[1] === '' || withId[1] === user.full_name)) return user;
  return lookups.userNamed(name);
}

/** Parses `@*name*` (protocol/markdown#group-mentions). */
export const groupMentions = syntax('@', (text, context) => {
  if (!context.lookups.realm || !text.includes('@')) return text;
  return replaceMatches(text, groups, (match) => {
    if (!isBoundary(text, match.index, BEFORE_MENTION)) return undefined;
    const group = context.lookups.groupNamed(context.stash.restore(match[2] ?? ''));
    if (!group) return undefined;
    const loud = match[1] !== '_' && !context.quoted && !group.deactivated;
    if (loud) context.findings.mentionedGroups.add(group.id);
    return context.stash.put(groupMention(group, loud), match[0]);
  });
});

/** A mention of a user, with the user's current name (protocol/markdown#user-mentions). */
function userMention(user: MentionableUser, loud: boolean): Element {
  return mentionElement('user-mention', { 'data-user-id': String(user.user_id) }, user.full_name, loud);
}

/** A mention of a group (protocol/markdown#group-mentions). */
function groupMention(group: MentionableGroup, loud: boolean): Element {
  const name = group.is_system_group ? (systemGroupNames[group.name] ?? group.name) : group.name;
  return mentionElement('user-group-mention', { 'data-user-group-id': String(group.id) }, name, loud);
}

/** A mention of all subscribers of the channel. */
function wildcard(name: string, silent: boolean): Element {
  return mentionElement('user-mention channel-wildcard-mention', { 'data-user-id': '*' }, name, !silent);
}

/** A mention of all participants of the topic. */
function topicWildcard(silent: boolean): Element {
  return mentionElement('topic-mention', {}, 'topic', !silent);
}

function mentionElement(kind: string, attributes: Record<string, string>, name: string, loud: boolean): Element {
  return element('span', { class: loud ? kind : `${kind} silent`, ...attributes }, [text(loud ? `@${name}` : name)]);
}
