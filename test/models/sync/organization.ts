import type { Parameters } from '../../support/client.ts';
import type { Steps } from './picks.ts';

const TEMPLATES = { url_template: 'https://bugs.test/{id}' };

/** What administrators do with the organization. */
export const ORGANIZATION: Steps = {
  'switch a setting': (p) => ['PATCH', '/realm', { [p.of(p.switches())]: p.yes() }],
  'change what it is called': (p) => ['PATCH', '/realm', { name: p.text('Roost'), description: p.text('about') }],
  'change a permission': (p) => ['PATCH', '/realm', { [p.of(p.organizationPermissions())]: { new: p.setting() } }],
  'let guests know nobody': (p) => [
    'PATCH',
    '/realm',
    { can_access_all_users_group: { new: p.groupNamed(p.of(['role:members', 'role:everyone'])) } },
  ],
  'wait for full members': (p) => ['PATCH', '/realm', { waiting_period_threshold: p.below(20) }],
  'limit edits': (p) => ['PATCH', '/realm', { message_content_edit_limit_seconds: p.of([600, 'unlimited']) }],
  'announce channels': (p) => [
    'PATCH',
    '/realm',
    { new_stream_announcements_stream_id: p.yes() ? p.channelId() : -1, signup_announcements_stream_id: p.channelId() },
  ],
  'change the policy of topics in all channels': (p) => [
    'PATCH',
    '/realm',
    { topics_policy: p.of(['allow_empty_topic', 'disable_empty_topic']) },
  ],
  'change what new people have': (p) => [
    'PATCH',
    '/realm/user_settings_defaults',
    { enable_sounds: p.yes(), web_font_size_px: 14 + p.below(4) },
  ],
  'make a channel default for all': (p) => ['POST', '/default_streams', { stream_id: p.channelId() }],
  'make a channel no default': (p) => ['DELETE', '/default_streams', { stream_id: p.channelId() }],
  'add a domain': (p) => ['POST', '/realm/domains', { domain: `d${p.below(9)}.test`, allow_subdomains: p.yes() }],
  'change a domain': (p) => ['PATCH', `/realm/domains/d${p.below(9)}.test`, { allow_subdomains: p.yes() }],
  'remove a domain': (p) => ['DELETE', `/realm/domains/d${p.below(9)}.test`],
  'add a linkifier': (p) => ['POST', '/realm/filters', { pattern: `bug${p.below(1000)}-(?P<id>[0-9]+)`, ...TEMPLATES }],
  'change a linkifier': (p) => [
    'PATCH',
    `/realm/filters/${p.id('realm_linkifiers')}`,
    { pattern: `bug${p.below(1000)}-(?P<id>[0-9]+)`, ...TEMPLATES },
  ],
  'sort linkifiers': (p) => [
    'PATCH',
    '/realm/linkifiers',
    { ordered_linkifier_ids: p.ids('realm_linkifiers').toReversed() },
  ],
  'remove a linkifier': (p) => ['DELETE', `/realm/filters/${p.id('realm_linkifiers')}`],
  'add a playground': (p) => [
    'POST',
    '/realm/playgrounds',
    { name: p.text('play'), pygments_language: 'Python', url_template: 'https://play.test/{code}' },
  ],
  'remove a playground': (p) => ['DELETE', `/realm/playgrounds/${p.id('realm_playgrounds')}`],
  'add a profile field': (p) => [
    'POST',
    '/realm/profile_fields',
    { name: p.text('field'), field_type: 1 + p.below(2) },
  ],
  'change a profile field': (p) => [
    'PATCH',
    `/realm/profile_fields/${p.id('custom_profile_fields')}`,
    p.of<Parameters>([
      { name: p.text('field') },
      { editable_by_user: p.yes() },
      { display_in_profile_summary: p.yes() },
    ]),
  ],
  'sort profile fields': (p) => [
    'PATCH',
    '/realm/profile_fields',
    { order: p.ids('custom_profile_fields').toReversed() },
  ],
  'remove a profile field': (p) => ['DELETE', `/realm/profile_fields/${p.id('custom_profile_fields')}`],
  'remove an emoji': () => ['DELETE', '/realm/emoji/owl'],
};
