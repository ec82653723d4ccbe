import type { Client, Parameters, Reply } from '../support/client.ts';
import type { MatrixChannel } from './channels.ts';
import type { People } from './people.ts';

/** Something a caller tries with a channel, and what puts it right where it succeeded. */
interface Operation {
  readonly name: string;
  readonly attempt: (client: Client, channel: MatrixChannel, people: People) => Promise<Reply>;
  readonly undo?: (channel: MatrixChannel, people: People, caller: Client) => Promise<unknown>;
}

const SUBSCRIPTIONS = '/users/me/subscriptions';
const get = (name: string, path: (channel: MatrixChannel, people: People) => string): Operation => ({
  name,
  attempt: (client, channel, people) => client.request('GET', path(channel, people)),
});
const patch = (
  name: string,
  parameters: (channel: MatrixChannel) => Parameters,
  undo?: (channel: MatrixChannel) => Parameters,
): Operation => ({
  name,
  attempt: (client, channel) => client.request('PATCH', `/streams/${channel.id}`, parameters(channel)),
  ...(undo && { undo: (channel, { keeper }) => keeper.patch(`/streams/${channel.id}`, undo(channel)) }),
});
const isPrivate = ({ kind }: MatrixChannel) => ['shared', 'protected', 'sealed'].includes(kind);
const nobody = { direct_members: [], direct_subgroups: [] };
/** A permission given to the keeper, and taken back. */
const permission = (name: string): Operation => ({
  name,
  attempt: (client, channel, { keeper }) =>
    client.request('PATCH', `/streams/${channel.id}`, {
      [name]: { new: { direct_members: [keeper.userId], direct_subgroups: [] } },
    }),
  undo: ({ id }, { keeper }) => keeper.patch(`/streams/${id}`, { [name]: { new: nobody } }),
});

/** What people do with channels, one grid each. Restored after each success, so that no attempt sees another's. */
export const OPERATIONS: readonly Operation[] = [
  get('know', ({ id }) => `/streams/${id}`),
  get('find by name', ({ name }) => `/get_stream_id?stream=${encodeURIComponent(name)}`),
  get('list subscribers', ({ id }) => `/streams/${id}/members`),
  get('ask about a subscription', ({ id }, { insider }) => `/users/${insider.userId}/subscriptions/${id}`),
  get('list topics', ({ id }) => `/users/me/${id}/topics`),
  get('read an old message', ({ oldMessage }) => `/messages/${oldMessage}`),
  get('read a new message', ({ newMessage }) => `/messages/${newMessage}`),
  get('get an address', ({ id }) => `/streams/${id}/email_address`),
  {
    name: 'send',
    attempt: (client, { id }) =>
      client.request('POST', '/messages', { type: 'channel', to: id, topic: 'greeting', content: 'hello' }),
  },
  {
    name: 'follow a topic',
    attempt: (client, { id }) =>
      client.request('POST', '/user_topics', { stream_id: id, topic: 'greeting', visibility_policy: 3 }),
  },
  {
    name: 'color',
    attempt: (client, { id }) =>
      client.request('PATCH', `${SUBSCRIPTIONS}/${id}`, { property: 'color', value: '#123456' }),
  },
  {
    name: 'subscribe',
    attempt: (client, { name }) => client.request('POST', SUBSCRIPTIONS, { subscriptions: [{ name }] }),
    undo: async ({ name }, { callers }, caller) => {
      if (caller !== callers.get('subscriber')) await caller.delete(SUBSCRIPTIONS, { subscriptions: [name] });
    },
  },
  {
    name: 'subscribe another',
    attempt: (client, { name }, { outsider }) =>
      client.request('POST', SUBSCRIPTIONS, { subscriptions: [{ name }], principals: [outsider.userId] }),
    undo: ({ name }, { outsider }) => outsider.delete(SUBSCRIPTIONS, { subscriptions: [name] }),
  },
  {
    name: 'remove another',
    attempt: (client, { name }, { insider }) =>
      client.request('DELETE', SUBSCRIPTIONS, { subscriptions: [name], principals: [insider.userId] }),
    undo: ({ name }, { keeper, insider }) =>
      keeper.post(SUBSCRIPTIONS, { subscriptions: [{ name }], principals: [insider.userId] }),
  },
  patch('describe', () => ({ description: 'changed' })),
  patch('set privacy', (channel) => ({
    is_private: isPrivate(channel),
    history_public_to_subscribers: channel.kind !== 'protected',
  })),
  permission('can_move_messages_within_channel_group'),
  permission('can_resolve_topics_group'),
  {
    name: 'archive',
    attempt: (client, { id }) => client.request('DELETE', `/streams/${id}`),
    undo: ({ id }, { keeper }) => keeper.patch(`/streams/${id}`, { is_archived: false }),
  },
  {
    name: 'bring back',
    attempt: (client, { id }) => client.request('PATCH', `/streams/${id}`, { is_archived: false }),
    undo: ({ id }, { keeper }) => keeper.delete(`/streams/${id}`),
  },
  {
    name: 'make default',
    attempt: (client, { id }) => client.request('POST', '/default_streams', { stream_id: id }),
    undo: ({ id }, { keeper }) => keeper.delete('/default_streams', { stream_id: id }),
  },
];

let made = 0;

/** What people make, one column each. */
export const CREATIONS: readonly (readonly [string, Parameters])[] = [
  ['public', {}],
  ['private', { invite_only: true }],
  ['web', { is_web_public: true }],
  ['default', { is_default_stream: true }],
  ['retention', { message_retention_days: 30 }],
  ['policy', { topics_policy: 'disable_empty_topic' }],
];

/** Makes a channel of a name of its own. */
export function create(client: Client, parameters: Parameters): Promise<Reply> {
  return client.request('POST', '/channels/create', { name: `made ${++made}`, subscribers: [], ...parameters });
}
