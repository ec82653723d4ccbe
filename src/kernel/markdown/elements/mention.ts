import { type Element, element, text } from '../tree.ts';
import type { MentionableGroup, MentionableUser } from '../world.ts';

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

/** A mention of a user, with the user's current name (protocol/markdown#user-mentions). */
export function userMention(user: MentionableUser, loud: boolean): Element {
  return mention('user-mention', { 'data-user-id': String(user.user_id) }, user.full_name, loud);
}

/** A mention of a group (protocol/markdown#group-mentions). */
export function groupMention(group: MentionableGroup, loud: boolean): Element {
  const name = group.is_system_group ? (systemGroupNames[group.name] ?? group.name) : group.name;
  return mention('user-group-mention', { 'data-user-group-id': String(group.id) }, name, loud);
}

/** A mention of all subscribers of the channel. */
export function wildcard(name: string, silent: boolean): Element {
  return mention('user-mention channel-wildcard-mention', { 'data-user-id': '*' }, name, !silent);
}

/** A mention of all participants of the topic. */
export function topicWildcard(silent: boolean): Element {
  return mention('topic-mention', {}, 'topic', !silent);
}

function mention(kind: string, attributes: Record<string, string>, name: string, loud: boolean): Element {
  return element('span', { class: loud ? kind : `${kind} silent`, ...attributes }, [text(loud ? `@${name}` : name)]);
}
