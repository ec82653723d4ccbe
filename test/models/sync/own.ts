import type { Parameters } from '../../support/client.ts';
import type { Steps } from './picks.ts';

/** What people keep for themselves. */
export const OWN: Steps = {
  'change a setting': (p) => ['PATCH', '/settings', { [p.of(p.ownSwitches())]: p.yes() }],
  'rename oneself': (p) => ['PATCH', '/settings', { full_name: p.text('Somebody') }],
  'hide the address': (p) => ['PATCH', '/settings', { email_address_visibility: 1 + p.below(5) }],
  'move to another time zone': (p) => ['PATCH', '/settings', { timezone: p.of(['Europe/Berlin', 'Asia/Tokyo']) }],
  'follow topics by oneself': (p) => [
    'PATCH',
    '/settings',
    { automatically_follow_topics_policy: 1 + p.below(4), automatically_follow_topics_where_mentioned: p.yes() },
  ],
  'say how one is': (p) => [
    'POST',
    '/users/me/status',
    p.of<Parameters>([{ status_text: p.text('busy') }, { status_text: '' }, { emoji_name: 'tada' }, { away: p.yes() }]),
  ],
  'add alert words': (p) => ['POST', '/users/me/alert_words', { alert_words: [p.text('word'), 'hoo'] }],
  'remove alert words': () => ['DELETE', '/users/me/alert_words', { alert_words: ['hoo'] }],
  'draft a message': (p) => [
    'POST',
    '/drafts',
    { drafts: [{ type: 'stream', to: [p.channelId()], topic: p.topic(), content: p.text('draft') }] },
  ],
  'change a draft': (p) => [
    'PATCH',
    `/drafts/${p.own('drafts', 'id')}`,
    { draft: { type: 'private', to: p.people(), topic: '', content: p.text('draft') } },
  ],
  'remove a draft': (p) => ['DELETE', `/drafts/${p.own('drafts', 'id')}`],
  'save a snippet': (p) => ['POST', '/saved_snippets', { title: p.text('title'), content: 'hoo' }],
  'change a snippet': (p) => ['PATCH', `/saved_snippets/${p.own('saved_snippets', 'id')}`, { title: p.text('title') }],
  'remove a snippet': (p) => ['DELETE', `/saved_snippets/${p.own('saved_snippets', 'id')}`],
  'pin a view': (p) => ['POST', '/navigation_views', { fragment: p.of(['recent', 'inbox']), is_pinned: p.yes() }],
  'change a view': (p) => ['PATCH', `/navigation_views/${p.of(['recent', 'inbox'])}`, { is_pinned: p.yes() }],
  'remove a view': (p) => ['DELETE', `/navigation_views/${p.of(['recent', 'inbox'])}`],
  'see a hint': (p) => [
    'POST',
    '/users/me/onboarding_steps',
    { onboarding_step: p.of(['intro_inbox_view_modal', 'intro_recent_view_modal']) },
  ],
  'choose colours by a command': (p) => ['POST', '/zcommand', { command: p.of(['/dark', '/light', '/fluid-width']) }],
  'remove the picture': () => ['DELETE', '/users/me/avatar'],
};
