import type { Parameters } from '../../support/client.ts';
import type { Steps } from './picks.ts';

/** What people do with accounts, bots and groups. */
export const PEOPLE: Steps = {
  'change a role': (p) => ['PATCH', `/users/${p.person()}`, { role: p.of([200, 300, 400, 600]) }],
  'rename somebody': (p) => ['PATCH', `/users/${p.person()}`, { full_name: p.text('Somebody') }],
  'deactivate somebody': (p) => ['DELETE', `/users/${p.person()}`],
  'bring somebody back': (p) => ['POST', `/users/${p.person()}/reactivate`],
  'create an account': (p) => [
    'POST',
    '/users',
    { email: `new${p.below(1000)}@roost.test`, password: 'a long enough secret', full_name: p.text('Somebody') },
  ],
  'leave the organization': () => ['DELETE', '/users/me'],
  'fill in a profile': (p) => [
    'PATCH',
    '/users/me/profile_data',
    { data: [{ id: p.id('custom_profile_fields'), value: p.text('value') }] },
  ],
  'fill in the profile of somebody': (p) => [
    'PATCH',
    `/users/${p.person()}`,
    { profile_data: [{ id: p.id('custom_profile_fields'), value: p.text('value') }] },
  ],
  'mute somebody': (p) => ['POST', `/users/me/muted_users/${p.person()}`],
  'unmute somebody': (p) => ['DELETE', `/users/me/muted_users/${p.person()}`],
  'create a bot': (p) => [
    'POST',
    '/bots',
    {
      full_name: p.text('Bot'),
      short_name: `bot${p.below(1000)}`,
      ...(p.yes() && { default_sending_stream: p.channel().name }),
      ...(p.yes() && { default_events_register_stream: p.channel().name }),
    },
  ],
  'change a bot': (p) => [
    'PATCH',
    `/bots/${p.id('realm_bots')}`,
    p.of<Parameters>([
      { full_name: p.text('Bot') },
      { bot_owner_id: p.person() },
      { default_sending_stream: p.channel().name },
      { default_events_register_stream: p.of([p.channel().name, '']) },
      { default_all_public_streams: p.yes() },
      { role: p.of([200, 400, 600]) },
    ]),
  ],
  'teach a bot a command': (p) => [
    'POST',
    '/bot_commands',
    { name: p.text('owl'), description: 'hoots', usage_hint: '', bot_id: p.id('realm_bots') },
  ],
  'remove a command': (p) => ['DELETE', `/bot_commands/${p.id('bot_commands')}`],
  'deactivate a bot': (p) => ['DELETE', `/bots/${p.id('realm_bots')}`],
  'bring a bot back': (p) => ['POST', `/users/${p.id('realm_bots')}/reactivate`],
  'create a group': (p) => [
    'POST',
    '/user_groups/create',
    { name: p.text('group'), description: '', members: p.people(), subgroups: p.groups().slice(0, 1) },
  ],
  'change a group': (p) => [
    'PATCH',
    `/user_groups/${p.ownGroup()}`,
    p.of<Parameters>([
      { name: p.text('group') },
      { description: p.text('about') },
      { [p.of(p.permissions('realm_user_groups'))]: { new: p.setting() } },
    ]),
  ],
  'change members': (p) => [
    'POST',
    `/user_groups/${p.ownGroup()}/members`,
    {
      [p.of(['add', 'delete'])]: [p.person()],
      ...(p.yes() && { [p.of(['add_subgroups', 'delete_subgroups'])]: [p.ownGroup()] }),
    },
  ],
  'change subgroups': (p) => [
    'POST',
    `/user_groups/${p.ownGroup()}/subgroups`,
    { [p.of(['add', 'delete'])]: [p.ownGroup()] },
  ],
  'deactivate a group': (p) => ['POST', `/user_groups/${p.ownGroup()}/deactivate`],
  'bring a group back': (p) => ['PATCH', `/user_groups/${p.ownGroup()}`, { deactivated: false }],
};
