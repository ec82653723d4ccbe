import { type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS, type Said } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { sha256 } from '../signature.ts';
import { asWords, mark, type Mood, noted } from '../words/index.ts';

const incident = {
  id: 'Q1',
  type: 'incident',
  html_url: 'https://ferry.pagerduty.example/incidents/Q1',
  number: 48,
  status: 'triggered',
  title: 'Too many passengers',
  urgency: 'high',
  service: { summary: 'Ferry', html_url: 'https://ferry.pagerduty.example/services/F' },
  assignees: [{ summary: 'Mia Member' }],
};
const EVENTS = [
  'incident.triggered',
  'incident.acknowledged',
  'incident.resolved',
  'incident.reassigned',
  'incident.annotated',
  'incident.escalated',
  'incident.reopened',
  'incident.unacknowledged',
  'incident.priority_updated',
  'incident.delegated',
];
const mood = (event: string): Mood =>
  /resolved/.test(event)
    ? 'good'
    : /triggered|escalated|reopened|unacknowledged/.test(event)
      ? 'bad'
      : /acknowledge/.test(event)
        ? 'wait'
        : 'note';

function said(event: string, it: Field, by: string, note = ''): Said {
  const people = [...it.at('assignees').list, ...it.at('assignments').list.map((one) => one.at('assignee'))].map(
    (one) => firstOf(one.at('summary'), one.at('name')),
  );
  const number = firstOf(it.at('number'), it.at('incident_number'), it.at('id'));
  const url = firstOf(it.at('html_url'), it.at('url'));
  return {
    event,
    topic: `Incident ${number}`,
    content: noted(
      md`${mark(mood(event))} ${link(`Incident ${number}: ${firstOf(it.at('title'), it.at('summary'), it.at('trigger_summary_data.subject'))}`, url)} ${asWords(event.replace('incident.', ''))}${by === '' ? undefined : md` by ${by}`}${people.length === 0 ? undefined : md` (assigned to ${people.join(', ')})`}, service ${firstOf(it.at('service.summary'), it.at('service.name'), 'unknown')}`,
      note,
    ),
  };
}

export const pagerduty = integration({
  name: 'pagerduty',
  title: 'PagerDuty',
  category: 'Monitoring',
  setUp: 'In PagerDuty open Integrations, Generic Webhooks (v3), New Webhook, and paste the address as Webhook URL.',
  events: EVENTS,
  options: [OPTIONS.secret],
  signature: sha256('x-pagerduty-signature', 'v1='),
  read: (at) => {
    const { list } = at('messages');
    if (list.length > 0)
      return list.map((message) =>
        said(
          firstOf(message.at('event'), message.at('type')),
          message.at('incident').exists ? message.at('incident') : message.at('data.incident'),
          '',
        ),
      );
    const event = at('event.event_type').need;
    if (event === 'pagey.ping') return { topic: 'PagerDuty', content: md`PagerDuty is connected.` };
    if (!event.startsWith('incident.')) throw new UnsupportedEvent(event);
    const it = at('event.data');
    return said(
      event,
      it.at('incident').exists ? it.at('incident') : it,
      firstOf(at('event.agent.summary')),
      it.at('content').text,
    );
  },
  samples: [
    ...EVENTS.map((event_type) => ({
      of: `An incident: ${event_type}`,
      json: {
        event: {
          event_type,
          agent: { summary: 'Max Member' },
          data:
            event_type === 'incident.annotated'
              ? { incident: { ...incident, service: undefined }, content: 'Second ferry is on its way.' }
              : incident,
        },
      },
    })),
    {
      of: 'Version 2',
      json: {
        messages: [
          {
            event: 'incident.triggered',
            incident: {
              ...incident,
              incident_number: 48,
              assignments: [{ assignee: incident.assignees[0] }],
              assignees: undefined,
            },
          },
        ],
      },
    },
  ],
});
