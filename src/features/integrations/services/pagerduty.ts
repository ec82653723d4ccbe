import { lookUp } from '#kernel/lists';
import { type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS, type Said } from '../integration.ts';
import { link, type Markdown, md } from '../markdown.ts';
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
  priority: { id: 'P2', type: 'priority_reference', summary: 'P2' },
  service: { summary: 'Ferry', html_url: 'https://ferry.pagerduty.example/services/F' },
  assignees: [{ summary: 'Mia Member' }],
};
const call = (event_type: string) => ({
  id: '01BZD2W5',
  event_type,
  resource_type: 'incident',
  occurred_at: '2026-11-20T10:00:00.000Z',
  agent: {
    id: 'PMAX',
    type: 'user_reference',
    summary: 'Max Member',
    html_url: 'https://ferry.pagerduty.example/users/PMAX',
  },
  client: null,
});
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
  'incident.responder.added',
  'incident.responder.replied',
  'incident.status_update_published',
  'incident.conference_bridge.updated',
  'incident.service_updated',
  'incident.workflow.started',
  'incident.workflow.completed',
];
const SERVICES = ['service.created', 'service.updated', 'service.deleted'];
/** An incident by reference, as events have it that are not about its state. */
const about = { id: 'Q1', type: 'incident_reference', html_url: incident.html_url, summary: 'Too many passengers' };
const max = {
  id: 'PMAX',
  type: 'user_reference',
  summary: 'Max Member',
  html_url: 'https://ferry.pagerduty.example/users/PMAX',
};
const DATA: Readonly<Record<string, object>> = {
  'incident.annotated': { id: 'N1', type: 'incident_note', content: 'Second ferry is on its way.', incident: about },
  'incident.responder.added': {
    type: 'incident_responder',
    incident: about,
    user: max,
    message: 'Please help.',
    state: 'pending',
  },
  'incident.responder.replied': {
    type: 'incident_responder',
    incident: about,
    user: max,
    message: '',
    state: 'accepted',
  },
  'incident.status_update_published': {
    id: 'S1',
    type: 'incident_status_update',
    incident: about,
    message: 'Boats are late.',
  },
  'incident.conference_bridge.updated': {
    type: 'incident_conference_bridge',
    incident: about,
    conference_url: 'https://call.ferry.example/48',
    conference_numbers: [],
  },
  'incident.workflow.started': {
    id: 'W1',
    type: 'incident_workflow_instance',
    summary: 'Call the harbour',
    incident: about,
  },
  'incident.workflow.completed': {
    id: 'W1',
    type: 'incident_workflow_instance',
    summary: 'Call the harbour',
    incident: about,
  },
};
/** Names of events in versions 1 and 2, and those of version 3. */
const OLDER: Readonly<Record<string, string>> = {
  'incident.trigger': 'incident.triggered',
  'incident.acknowledge': 'incident.acknowledged',
  'incident.unacknowledge': 'incident.unacknowledged',
  'incident.resolve': 'incident.resolved',
  'incident.assign': 'incident.reassigned',
  'incident.escalate': 'incident.escalated',
  'incident.delegate': 'incident.delegated',
  'incident.annotate': 'incident.annotated',
};
const mood = (event: string): Mood =>
  /resolved|completed/.test(event)
    ? 'good'
    : /triggered|escalated|reopened|unacknowledged/.test(event)
      ? 'bad'
      : /acknowledge/.test(event)
        ? 'wait'
        : 'note';

/** What a message says beside the incident: who did it, in whose words, and what is new. */
interface Beside {
  readonly by: string;
  readonly note?: string;
  readonly news?: Markdown;
}

function said(event: string, it: Field, { by, note = '', news = md`` }: Beside): Said {
  const people = [
    ...it.at('assignees').list,
    ...it.at('assignments').list.map((one) => one.at('assignee')),
    ...it.at('assigned_to').list.map((one) => one.at('object')),
  ].map((one) => firstOf(one.at('summary'), one.at('name')));
  const number = firstOf(it.at('number'), it.at('incident_number'), it.at('id'));
  const url = firstOf(it.at('html_url'), it.at('url'));
  const service = firstOf(it.at('service.summary'), it.at('service.name'));
  const priority = it.at('priority.summary').text;
  const subject = firstOf(
    it.at('title'),
    it.at('summary'),
    it.at('trigger_summary_data.subject'),
    it.at('trigger_summary_data.description'),
  );
  return {
    event,
    topic: `Incident ${number}`,
    content: noted(
      md`${mark(mood(event))} ${link(`Incident ${number}${subject === '' ? '' : `: ${subject}`}`, url)} ${asWords(event.replace('incident.', ''))}${by === '' ? undefined : md` by ${by}`}${people.length === 0 ? undefined : md` (assigned to ${people.join(', ')})`}${service === '' ? undefined : md`, service ${service}`}${priority === '' ? undefined : md`, priority ${priority}`}${news}`,
      note,
    ),
  };
}

/** A message of API version 1, or of version 2, which has the acting person in a log entry. */
function older(message: Field): Said {
  const name = firstOf(message.at('event'), message.at('type'));
  const event = lookUp(OLDER, name) ?? name;
  if (event === undefined || !EVENTS.includes(event)) throw new UnsupportedEvent(name || 'unknown');
  const it = message.at('incident').exists ? message.at('incident') : message.at('data.incident');
  const entry = message.at('log_entries.0');
  const changed = /acknowledged$|resolved$/.test(event) ? it.at('last_status_change_by.name') : '';
  const isPerson = entry.at('agent.type').text.startsWith('user');
  const by = firstOf(isPerson ? entry.at('agent.summary') : '', changed);
  return said(event, it, { by, note: event === 'incident.annotated' ? entry.at('channel.summary').text : '' });
}

/** What is new, in events that have the incident only by reference. */
function newsOf(it: Field, by: string): Markdown {
  const who = it.at('user.summary').text;
  const state = it.at('state').text || 'asked';
  if (who !== '') return who === by ? md` (${state})` : md`: ${who} (${state})`;
  if (it.at('conference_url').exists) return md`: ${link('call', it.at('conference_url'))}`;
  const isWorkflow = it.at('type').text === 'incident_workflow_instance';
  return isWorkflow ? md`: ${it.at('summary').text || 'without a name'}` : md``;
}

function serviceSaid(event: string, it: Field, by: string): Said {
  const name = firstOf(it.at('summary'), it.at('name'), it.at('id'));
  return {
    event,
    topic: `Service ${name}`,
    content: md`The service ${link(name, it.at('html_url'))} was ${asWords(event.slice('service.'.length))}${by === '' ? undefined : md` by ${by}`}.`,
  };
}

export const pagerduty = integration({
  name: 'pagerduty',
  title: 'PagerDuty',
  category: 'Monitoring',
  setUp: 'In PagerDuty open Integrations, Generic Webhooks (v3), New Webhook, and paste the address as Webhook URL.',
  events: [...EVENTS, ...SERVICES],
  options: [OPTIONS.secret],
  signature: sha256('x-pagerduty-signature', 'v1='),
  read: (at) => {
    const { list } = at('messages');
    if (list.length > 0) return list.map(older);
    const event = at('event.event_type').need;
    if (event === 'pagey.ping') return { topic: 'PagerDuty', content: md`PagerDuty is connected.` };
    const [it, by] = [at('event.data'), at('event.agent.summary').text];
    if (event.startsWith('service.')) return serviceSaid(event, it, by);
    if (!event.startsWith('incident.')) throw new UnsupportedEvent(event);
    if (!it.at('incident').exists) return said(event, it, { by });
    const note = firstOf(it.at('content'), it.at('message'));
    return said(event, it.at('incident'), { by, note, news: newsOf(it, by) });
  },
  samples: [
    ...EVENTS.map((event_type) => ({
      of: `An incident: ${event_type}`,
      json: { event: { ...call(event_type), data: DATA[event_type] ?? incident } },
    })),
    ...SERVICES.map((event_type) => ({
      of: `A service: ${event_type}`,
      json: {
        event: {
          ...call(event_type),
          resource_type: 'service',
          data: { id: 'F', type: 'service', summary: 'Ferry', html_url: 'https://ferry.pagerduty.example/services/F' },
        },
      },
    })),
    {
      of: 'Version 2',
      json: {
        messages: [
          {
            event: 'incident.acknowledge',
            log_entries: [
              {
                type: 'acknowledge_log_entry',
                summary: 'Acknowledged by Max Member',
                agent: { id: 'PMAX', type: 'user_reference', summary: 'Max Member' },
              },
            ],
            incident: {
              ...incident,
              number: undefined,
              incident_number: 48,
              assignments: [{ assignee: incident.assignees[0] }],
              assignees: undefined,
            },
          },
        ],
      },
    },
    ...['incident.trigger', 'incident.resolve'].map((type) => ({
      of: `Version 1: ${type}`,
      json: {
        messages: [
          {
            id: 'a1',
            type,
            created_on: '2026-11-20T10:00:00Z',
            data: {
              incident: {
                id: 'Q1',
                incident_number: 48,
                html_url: incident.html_url,
                status: 'triggered',
                service: { id: 'F', name: 'Ferry' },
                assigned_to: [{ at: '2026-11-20T10:00:00Z', object: { name: 'Mia Member', type: 'user' } }],
                last_status_change_by: type === 'incident.resolve' ? { name: 'Max Member' } : null,
                trigger_summary_data: { subject: 'Too many passengers' },
              },
            },
          },
        ],
      },
    })),
  ],
});
