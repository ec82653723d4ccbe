import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { gravatarUrl } from '#features/users';
import type { Body } from '../../support/client.ts';
import { pick, toldFields } from '../../support/sync.ts';
import { withoutMentions } from './kept.ts';
import type { View } from './views.ts';

/** What differs from one registration to the next. */
const PASSING = new Set(['queue_id', 'last_event_id', 'server_timestamp', 'presences', 'presence_last_update_id']);
const NULLABLE = ['desktop', 'email', 'push', 'audible'].map((kind) => `${kind}_notifications`);
const SHOWN = 'general chat';

/** What is the same in the next registration if nothing happened. */
export const lasting = (state: Body): Body =>
  Object.fromEntries(Object.entries(state).filter(([name]) => !PASSING.has(name)));

/** Asserts that both are equal; the assertion by itself takes most of the time. */
export function assertSame(kept: Body, fresh: Body, what: string): void {
  if (!isDeepStrictEqual(kept, fresh)) expect(kept, what).toEqual(fresh);
}

/** Both states as far as events tell them to a client with this view: the kept one after the events, and a fresh one. */
export function told(kept: Body, fresh: Body, view: View): readonly [Body, Body] {
  const fields = toldFields(kept, view.fields).filter((name) => name in kept);
  const told = kept['unread_msgs']?.mentions ? fresh : withoutMentions(fresh);
  return [comparable(pick(kept, fields), view), comparable(pick(told, fields), view)];
}

/** What is to be the same of a state, in whatever form the client gets it. */
function comparable(state: Body, view: View): Body {
  const { unsubscribed = [], never_subscribed = [], reminders, starred_messages: _starred, ...others } = state;
  const subscriptions = state['subscriptions']?.map((row: Body) => subscription(row, state, view));
  return {
    ...others,
    ...(subscriptions && { subscriptions }),
    ...(state['realm_users'] && { realm_users: state['realm_users'].map(withPicture) }),
    ...(state['realm_non_active_users'] && {
      realm_non_active_users: state['realm_non_active_users'].map(withPicture),
    }),
    ...topics(state, view),
    // Whoever sees a channel again is not told whether they once were subscribed.
    never_subscribed: [...unsubscribed, ...never_subscribed]
      .map((row: Body) => row['stream_id'])
      .toSorted((a, b) => a - b),
    // The text depends on whether its owner may still read the message.
    reminders: reminders?.map(({ content: _content, rendered_content: _rendered, ...row }: Body) => row),
  };
}

/** Events may have lists that the client did not ask for, and null for the personal setting. */
function subscription(row: Body, { user_settings }: Body, view: View): Body {
  const { subscribers: _subscribers, ...rest } = row;
  const shown = view.parameters['include_subscribers'] === 'false' ? rest : row;
  if (view.has('notification_settings_null')) return shown;
  const resolved = NULLABLE.map((name) => [name, row[name] ?? user_settings?.[`enable_stream_${name}`] ?? null]);
  return { ...shown, ...Object.fromEntries(user_settings ? resolved : NULLABLE.map((name) => [name, undefined])) };
}

/** The picture, also where the client computes its address. */
const withPicture = (row: Body): Body => ({
  ...row,
  avatar_url: row['avatar_url'] ?? gravatarUrl(row['delivery_email'] ?? '', row['avatar_version'], false),
});

/** The topic without a name, in its own place, where the client gets it under another name. */
function topics({ user_topics, unread_msgs }: Body, view: View): Body {
  if (view.has('empty_topic_name')) return {};
  const named = (topic: string) => (topic === SHOWN ? '' : topic);
  const place = (row: Body) => `${row['stream_id']} ${named(row['topic_name'] ?? row['topic'])}`;
  const sorted = (rows: Body[]) => rows.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  return {
    ...(user_topics && { user_topics: sorted(user_topics) }),
    ...(unread_msgs && { unread_msgs: { ...unread_msgs, streams: sorted(unread_msgs.streams) } }),
  };
}
