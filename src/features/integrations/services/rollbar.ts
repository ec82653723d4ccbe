import { lookUp } from '#kernel/lists';
import { type Field, firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { code, facts, link, md, paragraphs } from '../markdown.ts';
import { asWords, capital, mark, noted } from '../words/index.ts';

const item = {
  id: 272,
  counter: 7,
  title: 'NameError: no boat named raft',
  environment: 'production',
  level: 40,
  framework: 'node',
  total_occurrences: 3,
  last_occurrence: { language: 'ruby', body: {} },
};
const NEWS: Readonly<Record<string, string>> = {
  exp_repeat_item: 'Repeated item',
  item_velocity: 'High rate',
  occurrence: 'Happened',
};
const EVENTS = [
  'new_item',
  'exp_repeat_item',
  'reactivated_item',
  'resolved_item',
  'reopened_item',
  'occurrence',
  'item_velocity',
  'deploy',
];

/** Names of severity levels by number. */
const LEVELS: Readonly<Record<string, string>> = {
  10: 'debug',
  20: 'info',
  30: 'warning',
  40: 'error',
  50: 'critical',
};

/** How often an error occurred within which time. */
const rateOf = (trigger: Field) =>
  trigger.at('threshold').exists
    ? `${trigger.at('threshold').text} in ${firstOf(trigger.at('window_size_description'), `${trigger.at('window_size').text} seconds`)}`
    : '';

export const rollbar = integration({
  name: 'rollbar',
  title: 'Rollbar',
  category: 'Monitoring',
  setUp: 'In the project open Settings, Notifications, Webhook. Paste the address as URL and choose the rules.',
  events: EVENTS,
  read: (at) => {
    const event = at('event_name').need;
    if (event === 'test') return { topic: 'Rollbar', content: md`Rollbar is connected.` };
    if (event === 'deploy')
      return {
        event,
        topic: `Deployment on ${at('data.deploy.environment').need}`,
        content: noted(
          md`${at('data.deploy.local_username').text || 'Somebody'} deployed ${code(at('data.deploy.revision').need.slice(0, 12))} to ${at('data.deploy.environment')}`,
          at('data.deploy.comment'),
        ),
      };
    const it = at('data.item');
    return {
      event,
      topic: `#${it.at('counter').need} ${it.at('title').text}`,
      content: paragraphs(
        md`${mark(event === 'resolved_item' ? 'good' : (it.at('level').number ?? 40) <= 20 ? 'note' : 'bad')} ${lookUp(NEWS, event) ?? capital(asWords(event))}: ${link(it.at('title').need, firstOf(at('data.url'), `https://rollbar.com/item/${it.at('id').text}`))}`,
        facts({
          Level: lookUp(LEVELS, it.at('level').text) ?? it.at('level').text,
          Environment: it.at('environment'),
          Times: it.at('total_occurrences'),
          Rate: rateOf(at('data.trigger')),
          Where: firstOf(at('data.occurrence.server.host'), it.at('last_occurrence.server.host')),
          'Resolved in': it.at('resolved_in_version'),
        }),
      ),
    };
  },
  samples: EVENTS.map((event_name) => ({
    of: `An item: ${event_name}`,
    json: {
      event_name,
      data:
        event_name === 'deploy'
          ? {
              deploy: {
                environment: 'production',
                revision: '1bb2a3c4d5e6f708',
                local_username: 'mia',
                comment: 'Spring tide',
              },
            }
          : {
              item: { ...item, resolved_in_version: event_name === 'resolved_item' ? 'v1.2' : null },
              ...(event_name === 'item_velocity' && {
                trigger: { threshold: 10, window_size: 300, window_size_description: '5 minutes' },
              }),
              ...(event_name === 'occurrence' && {
                occurrence: { body: {}, language: 'ruby', level: 'error', server: { host: 'quay-1', pid: 7 } },
              }),
            },
    },
  })),
});
