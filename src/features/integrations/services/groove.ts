import { lookUp } from '#kernel/lists';
import { type At, type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration } from '../integration.ts';
import { link, type Markdown, md } from '../markdown.ts';
import { noted } from '../words/index.ts';

const ticket = {
  href: 'https://api.groovehq.example/v1/tickets/9',
  links: {
    assignee: { id: '17', href: 'https://api.groovehq.example/v1/agents/max@ferry.example' },
    customer: { id: '12', href: 'https://api.groovehq.example/v1/customers/gus@ferry.example' },
  },
  number: 9,
  priority: 'low',
  state: 'opened',
  title: 'Lost luggage',
  assigned_group: 'Quay',
  mailbox: 'Inbox',
  message_count: 1,
  last_message: 'Where is my case?',
  app_url: 'https://ferry.groovehq.example/groove_client/tickets/6865',
  customer_name: 'Gus Guest',
  last_message_plain_text: 'Where is my case?',
};
const reply = {
  links: {
    author: { href: 'https://api.groovehq.example/v1/agents/mia@ferry.example' },
    ticket: { href: 'https://api.groovehq.example/v1/tickets/9' },
  },
  note: false,
  id: '4810',
  body: '<p>At the quay.</p>',
  plain_text_body: 'At the quay.',
  href: 'https://api.groovehq.example/v1/messages/4810',
  app_ticket_url: ticket.app_url,
};
const changed = { href: '/v1/tickets/9', state: 'pending', ticket_number: 9, ticket, app_url: ticket.app_url };

/** The last part of an address, which identifies a person or a ticket. */
const last = (href: Field) => href.text.split('/').at(-1) ?? '';

const named = (it: Field, url: Field | string) =>
  link(`#${it.at('number').text || last(it.at('links.ticket.href'))} ${it.at('title').text}`.trim(), url);

const SAYS: Readonly<Record<string, (at: At) => Markdown>> = {
  ticket_started: (at) => {
    const who = firstOf(at('customer_name'), last(at('links.customer.href')), 'Somebody');
    const body = firstOf(at('last_message_plain_text'), at('last_message'));
    return noted(md`${who} opened the ticket ${named(at(''), at('app_url'))}`, body);
  },
  ticket_assigned: (at) => {
    const whom = firstOf(last(at('links.assignee.href')), at('assigned_group'), 'nobody');
    return md`The ticket ${named(at(''), at('app_url'))} (${at('state').text || 'open'}) was assigned to ${whom}.`;
  },
  ticket_state_changed: (at) =>
    md`The ticket ${named(at('ticket'), firstOf(at('app_url'), at('ticket.app_url')))} of ${firstOf(at('ticket.customer_name'), 'somebody')} is ${at('state').need} now.`,
  agent_replied: (at) => replied(at, 'replied to'),
  customer_replied: (at) => replied(at, 'replied to'),
  note_added: (at) => replied(at, 'left a note on'),
};

function replied(at: At, did: string): Markdown {
  const who = last(at('links.author.href')) || 'Somebody';
  const name = named(at(''), firstOf(at('app_ticket_url'), at('app_url')));
  return noted(md`${who} ${did} the ticket ${name}`, firstOf(at('plain_text_body'), at('body')));
}

export const groove = integration({
  name: 'groove',
  title: 'Groove',
  category: 'Customers',
  setUp: 'In Groove open Settings, API, Add webhook. Paste the address and choose the events.',
  events: Object.keys(SAYS),
  read: (at, { header }) => {
    const event = header('x-groove-event');
    const say = lookUp(SAYS, event);
    if (!say) throw new UnsupportedEvent(event);
    return { event, topic: 'notifications', content: say(at) };
  },
  samples: Object.keys(SAYS).map((event) => ({
    of: `A ticket: ${event}`,
    headers: { 'x-groove-event': event },
    json: event === 'ticket_state_changed' ? changed : event.startsWith('ticket') ? ticket : reply,
  })),
});
