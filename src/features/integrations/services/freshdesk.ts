import { lookUp } from '#kernel/lists';
import { integration } from '../integration.ts';
import { facts, link, md, paragraphs } from '../markdown.ts';
import { asWords, noted, textOfHtml } from '../words/index.ts';

const ticket = {
  ticket_id: 11,
  ticket_subject: 'Lost luggage',
  ticket_url: 'https://ferry.freshdesk.example/helpdesk/tickets/11',
  ticket_status: 'Open',
  ticket_priority: 'High',
  ticket_type: 'Incident',
  ticket_description: '<div>A <b>red</b> case.</div>',
  requester_name: 'Gus Guest',
  requester_email: 'gus@ferry.example',
};
const wrap = (triggered_event: string) => ({ freshdesk_webhook: { ...ticket, triggered_event } });

/** Meanings of the numbers in Freshdesk's change events. */
const NUMBERED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  priority: { 1: 'Low', 2: 'Medium', 3: 'High', 4: 'Urgent' },
  status: {
    2: 'Open',
    3: 'Pending',
    4: 'Resolved',
    5: 'Closed',
    6: 'Waiting on Customer',
    7: 'Waiting on Third Party',
  },
};

function wordFor(field = '', value = ''): string {
  const words = lookUp(NUMBERED, field);
  return (words && lookUp(words, value)) ?? value;
}

export const freshdesk = integration({
  name: 'freshdesk',
  title: 'Freshdesk',
  category: 'Customers',
  setUp:
    'Under Admin, Workflows, Automations make a rule with the action Trigger webhook, the method POST and the address. Send ticket_id, ticket_subject, ticket_url, ticket_status, ticket_priority, ticket_type, ticket_description, requester_name, requester_email and triggered_event as freshdesk_webhook.',
  read: (at) => {
    const it = at('freshdesk_webhook').exists ? at('freshdesk_webhook') : at('');
    const event = it.at('triggered_event').text;
    const [, field, from, to] = /^\{?(\w+):\{?(?:from:)?([^,}]*)(?:,to:)?([^}]*)\}?\}?/.exec(event) ?? [];
    const who = it.at('requester_name').text || it.at('requester_email').text || 'Somebody';
    const [before = '', after = ''] = [from, to].map((value) => wordFor(field, value));
    const name = link(`ticket #${it.at('ticket_id').need}`, it.at('ticket_url'));
    const created = /created/.test(event);
    const what = created
      ? md`${who} opened ${name}`
      : /note/.test(event)
        ? md`A ${from === 'private' ? 'private ' : ''}note was added to ${name}`
        : md`The ${name} changed${field === undefined || before === '' ? undefined : md` (${asWords(field)}${after === '' ? undefined : md`: ${before} → ${after}`})`}`;
    return {
      topic: `#${it.at('ticket_id').text}: ${it.at('ticket_subject').text}`,
      content: paragraphs(
        noted(what, created ? textOfHtml(it.at('ticket_description').text) : ''),
        facts({
          Status: it.at('ticket_status'),
          Priority: it.at('ticket_priority'),
          Kind: it.at('ticket_type'),
          Requester: it.at('requester_name'),
          Email: it.at('requester_email'),
        }),
      ),
    };
  },
  samples: [
    { of: 'A ticket is opened', json: wrap('{ticket_action:created}') },
    { of: 'The status changes', json: wrap('{status:{from:2,to:3}}') },
    { of: 'The priority changes', json: wrap('{priority:{from:3,to:1}}') },
    { of: 'A note is added', json: wrap('{note_type:private}') },
  ],
});
