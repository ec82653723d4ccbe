import type { Parameters } from '../../support/client.ts';
import type { Steps } from './picks.ts';

const PROPERTIES = ['is_muted', 'pin_to_top', 'desktop_notifications', 'email_notifications'];

/** What people do with channels. */
export const CHANNELS: Steps = {
  'create a channel': (p) => [
    'POST',
    '/users/me/subscriptions',
    {
      subscriptions: [{ name: p.text('nest') }],
      principals: p.people(),
      ...p.of<Parameters>([
        {},
        { invite_only: true },
        { invite_only: true, history_public_to_subscribers: false },
        { is_web_public: true },
        { folder_id: p.id('channel_folders') },
      ]),
    },
  ],
  subscribe: (p) => ['POST', '/users/me/subscriptions', { subscriptions: [{ name: p.channel().name }] }],
  'subscribe others': (p) => [
    'POST',
    '/users/me/subscriptions',
    { subscriptions: [{ name: p.channel().name }, { name: p.channel().name }], principals: p.people() },
  ],
  unsubscribe: (p) => ['DELETE', '/users/me/subscriptions', { subscriptions: [p.channel().name] }],
  'unsubscribe others': (p) => [
    'DELETE',
    '/users/me/subscriptions',
    // Several people who leave together are not told of each other. See protocol/events#audiences, PEERS.
    { subscriptions: [p.channel().name, p.channel().name], principals: [p.person()] },
  ],
  'change a subscription': (p) => [
    'POST',
    '/users/me/subscriptions/properties',
    { subscription_data: [{ stream_id: p.channelId(), property: p.of(PROPERTIES), value: p.yes() }] },
  ],
  'rename a channel': (p) => ['PATCH', `/streams/${p.channelId()}`, { new_name: p.text('nest') }],
  'describe a channel': (p) => ['PATCH', `/streams/${p.channelId()}`, { description: p.text('about') }],
  'change privacy': (p) => [
    'PATCH',
    `/streams/${p.channelId()}`,
    p.of([
      { is_private: true, history_public_to_subscribers: false },
      { is_private: true, history_public_to_subscribers: true },
      { is_private: false, is_web_public: false },
      { is_private: false, is_web_public: true },
    ]),
  ],
  'archive a channel': (p) => ['DELETE', `/streams/${p.channelId()}`],
  'bring a channel back': (p) => ['PATCH', `/streams/${p.channelId()}`, { is_archived: false }],
  'put a channel in a folder': (p) => [
    'PATCH',
    `/streams/${p.channelId()}`,
    { folder_id: p.yes() ? p.id('channel_folders') : null },
  ],
  'change a permission of a channel': (p) => [
    'PATCH',
    `/streams/${p.channelId()}`,
    { [p.of(p.permissions('subscriptions'))]: { new: p.setting() } },
  ],
  'change the policy of topics': (p) => [
    'PATCH',
    `/streams/${p.channelId()}`,
    { topics_policy: p.of(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']) },
  ],
  'keep messages for days': (p) => ['PATCH', `/streams/${p.channelId()}`, { message_retention_days: 1 + p.below(9) }],
  'make a channel default': (p) => ['PATCH', `/streams/${p.channelId()}`, { is_default_stream: p.yes() }],
  'create a folder': (p) => ['POST', '/channel_folders/create', { name: p.text('folder'), description: '' }],
  'change a folder': (p) => [
    'PATCH',
    `/channel_folders/${p.id('channel_folders')}`,
    p.of([{ name: p.text('folder') }, { description: p.text('about') }, { is_archived: p.yes() }]),
  ],
  'sort folders': (p) => ['PATCH', '/channel_folders', { order: p.ids('channel_folders').toReversed() }],
  'create a group of default channels': (p) => [
    'POST',
    '/default_stream_groups/create',
    { group_name: p.text('start'), description: 'of all', stream_names: [p.channel().name] },
  ],
  'change a group of default channels': (p) => [
    'PATCH',
    `/default_stream_groups/${p.id('realm_default_stream_groups')}/streams`,
    { op: p.of(['add', 'remove']), stream_names: [p.channel().name] },
  ],
  'rename a group of default channels': (p) => [
    'PATCH',
    `/default_stream_groups/${p.id('realm_default_stream_groups')}`,
    { new_group_name: p.text('start') },
  ],
  'remove a group of default channels': (p) => [
    'DELETE',
    `/default_stream_groups/${p.id('realm_default_stream_groups')}`,
  ],
};
