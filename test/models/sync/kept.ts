import type { Body } from '../../support/client.ts';
import { applyEvent, pick } from '../../support/sync.ts';
import type { View } from './views.ts';

interface Keeping {
  readonly state: Body;
  readonly events: readonly Body[];
  /** A state with all fields. */
  readonly whole: Body;
  readonly view: View;
  readonly me: number;
}

/** The state after events, as a client keeps it with this view; reducers find empty fields where it did not ask. */
export function keep({ state, events, whole, view, me }: Keeping): Body {
  let kept: Body = { ...blank(whole), ...state };
  const untold = new Set<string>();
  for (const event of events) {
    if (!view.has('archived_channels') && comesBack(kept, event)) untold.add('unread_msgs');
    if (isOfArchived(kept, event)) untold.add('max_message_id');
    kept = after(kept, event, view, me);
  }
  const names = Object.keys(state).filter((name) => !untold.has(name));
  return pick(events.some(mayMute) ? withoutMentions(kept) : kept, names);
}

function after(state: Body, event: Body, view: View, me: number): Body {
  if (event['type'] === 'delete_message' && event['message_ids'] === undefined)
    return applyEvent(state, { ...event, message_ids: [event['message_id']] }, me);
  // Who keeps a complete list keeps a row of whoever is no longer seen. See protocol/register#capabilities.
  if (event['type'] === 'realm_user' && event['op'] === 'remove' && !view.has('user_list_incomplete'))
    return { ...state, ...withUnknown(state, event['person'].user_id) };
  return isOverheard(state, event) ? state : applyEvent(state, event, me);
}

/** Whether it is a message of a channel without a subscription. See protocol/register#consistency. */
function isOverheard({ unsubscribed, never_subscribed }: Body, { type, message, flags }: Body): boolean {
  if (type !== 'message' || flags.length > 0) return false;
  return [...unsubscribed, ...never_subscribed].some((row: Body) => row['stream_id'] === message.stream_id);
}

/** Whether it is the message that tells of a channel's archiving, to a client that no longer knows the channel. */
function isOfArchived({ subscriptions, unsubscribed, never_subscribed }: Body, { type, message }: Body): boolean {
  if (type !== 'message' || message.type !== 'stream') return false;
  const known = [...subscriptions, ...unsubscribed, ...never_subscribed];
  return known.every((row: Body) => row['stream_id'] !== message.stream_id);
}

/** Whether a channel comes back from the archive, or messages do. */
function comesBack({ subscriptions }: Body, { type, for_unarchiving, stream_id, new_stream_id }: Body): boolean {
  if (type !== 'update_message' || new_stream_id === undefined) return for_unarchiving === true;
  return subscriptions.every((row: Body) => row['stream_id'] !== stream_id);
}

/** Whether it may change which messages are muted, and with it which mentions of everybody count. */
const mayMute = ({ type }: Body) => ['subscription', 'user_topic', 'update_message'].includes(type);

/** The state without what nobody can keep by events. See protocol/register#consistency. */
export function withoutMentions({ unread_msgs, ...state }: Body): Body {
  return { ...state, ...(unread_msgs && { unread_msgs: { ...unread_msgs, mentions: undefined } }) };
}

function withUnknown({ realm_users, realm_non_active_users }: Body, id: number) {
  const shown = (row: Body) => (row['user_id'] === id ? unknownUser(id) : row);
  return { realm_users: realm_users.map(shown), realm_non_active_users: realm_non_active_users.map(shown) };
}

/** The same fields, empty. */
function blank(value: unknown): Body {
  const emptied = (one: unknown): unknown => {
    if (Array.isArray(one)) return [];
    return typeof one === 'object' && one !== null ? blank(one) : one;
  };
  return Object.fromEntries(Object.entries(value ?? {}).map(([name, one]) => [name, emptied(one)]));
}

/** How somebody is shown to a guest who may not know of them. See protocol/users#visibility. */
const unknownUser = (id: number): Body => ({
  user_id: id,
  email: `user${id}@localhost`,
  delivery_email: null,
  full_name: 'Unknown user',
  date_joined: '1970-01-01T00:00+00:00',
  is_owner: false,
  is_admin: false,
  is_guest: false,
  is_bot: false,
  bot_type: null,
  bot_owner_id: null,
  role: 400,
  timezone: '',
  avatar_url: '/user_avatars/unknown.png',
  avatar_version: 1,
  is_imported_stub: false,
  profile_data: {},
});
