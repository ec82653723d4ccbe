import { firstOf } from '../field.ts';
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
        md`${mark(event === 'resolved_item' ? 'good' : 'bad')} ${NEWS[event] ?? capital(asWords(event))}: ${link(it.at('title').need, firstOf(at('data.url'), `https://rollbar.com/item/${it.at('id').text}`))}`,
        facts({ Environment: it.at('environment'), Times: it.at('total_occurrences') }),
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
          : { item },
    },
  })),
});
