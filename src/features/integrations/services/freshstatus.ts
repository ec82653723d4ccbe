import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bold, facts, md, paragraphs } from '../markdown.ts';
import { mark, noted } from '../words/index.ts';

const ORIGIN = 'Mia Member';
const incident = {
  id: '1',
  title: 'Slow ferry',
  description: 'Long queues.',
  start_time: '2026-11-20 10:00:00',
  end_time: '',
  source: ORIGIN,
  affected_services: 'Ferry, Boats',
  is_private: 'False',
};

export const freshstatus = integration({
  name: 'freshstatus',
  title: 'Freshstatus',
  category: 'Monitoring',
  setUp:
    'In Freshstatus open Settings, Integrations, Webhooks. Paste the address as Callback URL, choose Advanced content, and send the fields of the examples as JSON.',
  read: (at) => ({
    topic: at('title').need,
    content: paragraphs(
      noted(
        md`${mark(at('end_time').text !== '' || at('incident_status').text === 'Closed' ? 'good' : 'bad')} ${bold(at('title'))}${at('incident_status').exists ? md`, ${at('incident_status').text.toLowerCase()}` : undefined}`,
        firstOf(at('message'), at('description')),
      ),
      facts({
        Since: at('start_time'),
        Until: at('end_time'),
        Services: at('affected_services'),
        Status: at('status'),
      }),
    ),
  }),
  samples: [
    { of: 'An incident begins', json: incident },
    { of: 'An incident ends', json: { ...incident, end_time: '2026-11-20 11:00:00' } },
    {
      of: 'A note is added',
      json: { title: 'Slow ferry', message: 'A second ferry comes.', incident_status: 'Open', status: 'Identified' },
    },
  ],
});
