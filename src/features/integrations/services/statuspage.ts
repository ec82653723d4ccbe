import { integration } from '../integration.ts';
import { bold, link, md } from '../markdown.ts';
import { asWords, mark, moodOf, noted, state } from '../words/index.ts';

const page = { id: 'p', status_indicator: 'minor', status_description: 'Partially degraded' };
const incident = (status: string) => ({
  name: 'Slow ferry',
  status,
  impact: 'minor',
  shortlink: 'https://stspg.example/1',
  incident_updates: [{ body: 'We see long queues.', status }],
});

export const statuspage = integration({
  name: 'statuspage',
  title: 'Statuspage',
  category: 'Monitoring',
  setUp: 'On the public page choose Subscribe to updates, Webhook, and paste the address.',
  events: ['incident', 'component'],
  read: (at) => {
    if (at('incident').exists) {
      const it = at('incident');
      return {
        event: 'incident',
        topic: `${it.at('name').need}: ${at('page.status_description').text}`,
        content: noted(
          md`${state(it.at('status').need, moodOf(it.at('status').text))} ${link(it.at('name'), it.at('shortlink'))} (impact: ${it.at('impact').text || 'unknown'})`,
          it.at('incident_updates.0.body'),
        ),
      };
    }
    return {
      event: 'component',
      topic: `${at('component.name').need}: ${at('page.status_description').text}`,
      content: md`${mark(moodOf(at('component_update.new_status').text))} ${at('component.name')} went from ${bold(asWords(at('component_update.old_status').need))} to ${bold(asWords(at('component_update.new_status').need))}.`,
    };
  },
  samples: [
    { of: 'An incident begins', json: { page, incident: incident('investigating') } },
    { of: 'An incident is over', json: { page, incident: incident('resolved') } },
    {
      of: 'A component changes',
      json: {
        page,
        component: { name: 'Ferry', status: 'operational' },
        component_update: { old_status: 'under_maintenance', new_status: 'operational' },
      },
    },
  ],
});
