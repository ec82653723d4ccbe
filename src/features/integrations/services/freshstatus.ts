import { type At, type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration } from '../integration.ts';
import { bold, facts, type Markdown, md, paragraphs, time } from '../markdown.ts';
import { mark, type Mood, noted } from '../words/index.ts';

const [WATCH, RELEASE] = ['Harbour watch', 'Release'];

/** The common fields of an event. */
const about = (event_type: string) => ({
  is_private: 'False',
  notification_options: { send_tweet: 'false', send_email: 'false' },
  event_data: {
    webhook_id: 102,
    account_id: 2300,
    account_name: 'ferry',
    event_id: 1361,
    event_type,
    event_created_on: '2026-11-20 10:00:43.392582+00:00',
  },
});
const incident = {
  id: '53481',
  title: 'Slow ferry',
  source: WATCH,
  end_time: 'None',
  start_time: '2026-11-20 10:00:00+00:00',
  description: 'Long queues.',
  affected_services: 'Ferry,Boats',
  status: 'Open',
  ...about('INCIDENT_OPEN'),
};
const note = (incident_status: string, message: string, event: string) => ({
  id: '130594',
  title: 'Slow ferry',
  status: '',
  message,
  incident_id: '53481',
  incident_status,
  ...about(event),
});

const EVENTS = ['INCIDENT_OPEN', 'INCIDENT_NOTE_CREATE', 'MAINTENANCE_PLANNED', 'MAINTENANCE_NOTE_CREATE'];

/** The text of a field; empty for Python's `None`. */
const said = (it: Field) => (it.text === 'None' ? '' : it.text);

/** The mood of an event: by its status, or if it has none, by whether it has an end. */
function moodOf(at: At): Mood {
  const status = firstOf(at('incident_status'), at('status'));
  if (status === 'Closed') return 'good';
  if (status === 'Planned') return 'note';
  return status === '' && said(at('end_time')) !== '' ? 'good' : 'bad';
}

const when = (it: Field): Markdown | string => (said(it) === '' ? '' : time(it));

export const freshstatus = integration({
  name: 'freshstatus',
  title: 'Freshstatus',
  category: 'Monitoring',
  setUp:
    'In Freshstatus open Settings, Integrations, Webhooks. Paste the address as Callback URL, choose Advanced content, and send the fields of the examples as JSON.',
  events: EVENTS,
  read: (at) => {
    const event = at('event_data.event_type').text || 'INCIDENT_OPEN';
    if (!EVENTS.includes(event)) throw new UnsupportedEvent(event);
    const state = at('incident_status').text.toLowerCase();
    const head = md`${mark(moodOf(at))} ${bold(at('title'))}${state === '' ? undefined : `, ${state}`}`;
    return {
      event,
      topic: at('title').need,
      content: paragraphs(
        noted(head, firstOf(at('message'), at('description'))),
        facts({
          Since: when(at('start_time')),
          Until: when(at('end_time')),
          Services: at('affected_services').text.replaceAll("'", '').split(',').join(', '),
          Source: said(at('source')),
          Status: said(at('status')),
        }),
      ),
    };
  },
  samples: [
    { of: 'An incident begins', json: incident },
    {
      of: 'A note is added',
      json: note('Open', 'A second ferry comes.', 'INCIDENT_NOTE_CREATE'),
    },
    { of: 'An incident ends', json: note('Closed', 'All have crossed.', 'INCIDENT_NOTE_CREATE') },
    {
      of: 'A maintenance is planned',
      json: {
        ...incident,
        title: 'New planks',
        source: RELEASE,
        end_time: '2026-11-21 11:00:00+00:00',
        description: 'The quay is closed for an hour.',
        scheduled_start_time: '2026-11-20 10:00:00+00:00',
        scheduled_end_time: '2026-11-21 11:00:00+00:00',
        status: 'Planned',
        ...about('MAINTENANCE_PLANNED'),
      },
    },
    {
      of: 'A note is added to a maintenance',
      json: note('Planned', 'We begin soon.', 'MAINTENANCE_NOTE_CREATE'),
    },
  ],
});
