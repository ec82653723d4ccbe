import { integration } from '../integration.ts';
import { facts, link, md, paragraphs } from '../markdown.ts';
import { asWords, capital, noted } from '../words/index.ts';

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
    const who = link(it.at('requester_name').text || it.at('requester_email').text || 'Somebody', '');
    const name = link(`ticket #${it.at('ticket_id').need}`, it.at('ticket_url'));
    const created = /created/.test(event);
    const what = created
      ? md`${who} opened ${name}`
      : /note/.test(event)
        ? md`A note was added to ${name}`
        : md`${capital(name.isEmpty ? 'ticket' : 'The')} ${name} changed${field === undefined || from === undefined ? undefined : md` (${asWords(field)}${to ? md`: ${from} → ${to}` : undefined})`}`;
    return {
      topic: `#${it.at('ticket_id').text}: ${it.at('ticket_subject').text}`,
      content: paragraphs(
        noted(what, created ? it.at('ticket_description').text.replaceAll(/<[^<>]*>/g, '') : ''),
        facts({
          Status: it.at('ticket_status'),
          Priority: it.at('ticket_priority'),
          Kind: it.at('ticket_type'),
          From: it.at('requester_email'),
        }),
      ),
    };
  },
  samples: [
    { of: 'A ticket is opened', json: wrap('{ticket_action:created}') },
    { of: 'The status changes', json: wrap('{status:{from:Open,to:Pending}}') },
    { of: 'A note is added', json: wrap('{note_type:private}') },
  ],
});
