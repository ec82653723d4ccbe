import { lookUp } from '#kernel/lists';
import { integration } from '../integration.ts';
import { bold, facts, link, md, paragraphs, time } from '../markdown.ts';
import { asWords, mark, moodOf, type Mood, noted, state } from '../words/index.ts';

/** States of incidents and of maintenance. */
const INCIDENTS: Readonly<Record<string, Mood>> = {
  investigating: 'bad',
  identified: 'bad',
  monitoring: 'wait',
  in_progress: 'wait',
  verifying: 'wait',
};
const COMPONENTS: Readonly<Record<string, Mood>> = {
  degraded_performance: 'bad',
  partial_outage: 'bad',
  major_outage: 'bad',
  under_maintenance: 'wait',
};
const moodIn = (moods: Readonly<Record<string, Mood>>, name: string) => lookUp(moods, name) ?? moodOf(name);

const page = { id: 'p', status_indicator: 'minor', status_description: 'Partially degraded' };
const incident = (status: string) => ({
  name: 'Slow ferry',
  status,
  impact: 'minor',
  shortlink: 'https://stspg.example/1',
  created_at: '2026-11-20T10:00:00.507Z',
  scheduled_for: null,
  scheduled_until: null,
  incident_updates: [{ body: 'We see long queues.', status }],
  components: [{ name: 'Night ferry', status: status === 'resolved' ? 'operational' : 'degraded_performance' }],
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
        content: paragraphs(
          noted(
            md`${state(it.at('status').need, moodIn(INCIDENTS, it.at('status').text))} ${link(it.at('name'), it.at('shortlink'))} (impact: ${it.at('impact').text || 'unknown'})`,
            it.at('incident_updates.0.body'),
          ),
          facts({
            Components: it
              .at('components')
              .list.map((one) => `${one.at('name').text} (${asWords(one.at('status').text) || 'unknown'})`)
              .join(', '),
            From: time(it.at('scheduled_for')),
            Until: time(it.at('scheduled_until')),
          }),
        ),
      };
    }
    return {
      event: 'component',
      topic: `${at('component.name').need}: ${at('page.status_description').text}`,
      content: md`${mark(moodIn(COMPONENTS, at('component_update.new_status').text))} ${at('component.name')} went from ${bold(asWords(at('component_update.old_status').need))} to ${bold(asWords(at('component_update.new_status').need))}.`,
    };
  },
  samples: [
    { of: 'An incident begins', json: { page, incident: incident('investigating') } },
    { of: 'An incident is over', json: { page, incident: incident('resolved') } },
    {
      of: 'Work is planned',
      json: {
        page,
        incident: {
          ...incident('scheduled'),
          impact: 'maintenance',
          scheduled_for: '2026-11-21T02:00:00.000Z',
          scheduled_until: '2026-11-21T04:00:00.000Z',
          incident_updates: [{ body: 'New ropes.', status: 'scheduled' }],
        },
      },
    },
    {
      of: 'A component is broken',
      json: {
        page: { ...page, status_indicator: 'major', status_description: 'Partial system outage' },
        component: { name: 'Ferry', status: 'partial_outage' },
        component_update: { old_status: 'operational', new_status: 'partial_outage', component_type: 'Component' },
      },
    },
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
