import { UnsupportedEvent } from '../faults.ts';
import { integration } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { noted } from '../words/index.ts';

const ticket = {
  number: 9,
  title: 'Lost luggage',
  last_message: 'Where is my case?',
  last_message_plain_text: 'Where is my case?',
  app_url: 'https://ferry.groovehq.example/tickets/9',
  priority: 'low',
  assigned_group: 'Quay',
  state: 'opened',
  links: {
    assignee: { href: 'https://api.groovehq.example/v1/agents/max@ferry.example' },
    customer: { href: 'https://api.groovehq.example/v1/customers/gus@ferry.example' },
  },
};
const EVENTS: Readonly<Record<string, string>> = {
  ticket_started: 'opened',
  ticket_assigned: 'assigned',
  agent_replied: 'answered',
  customer_replied: 'answered',
  note_added: 'noted',
};

export const groove = integration({
  name: 'groove',
  title: 'Groove',
  category: 'Customers',
  setUp: 'In Groove open Settings, API, Add webhook. Paste the address and choose the events.',
  events: Object.keys(EVENTS),
  read: (at, { header }) => {
    const event = header('x-groove-event');
    if (!Object.hasOwn(EVENTS, event)) throw new UnsupportedEvent(event);
    const last = (path: string) => at(path).text.split('/').at(-1) ?? '';
    const name = link(`#${at('number').text || last('links.ticket.href')} ${at('title').text}`, at('app_url'));
    const author = last('links.author.href') || last('links.customer.href') || 'Somebody';
    const topic = 'notifications';
    if (event === 'ticket_started')
      return {
        event,
        topic,
        content: noted(
          md`${author} opened the ticket ${name}`,
          at('last_message_plain_text').text || at('last_message'),
        ),
      };
    if (event === 'ticket_assigned')
      return {
        event,
        topic,
        content: md`The ticket ${name} (${at('state').text || 'open'}) was assigned to ${last('links.assignee.href') || at('assigned_group').text || 'nobody'}.`,
      };
    return {
      event,
      topic,
      content: noted(
        md`${author} ${event === 'note_added' ? 'left a note on' : 'replied to'} the ticket ${name}`,
        at('plain_text_body').text || at('body'),
      ),
    };
  },
  samples: Object.keys(EVENTS).map((event) => ({
    of: `A ticket: ${event}`,
    headers: { 'x-groove-event': event },
    json: event.startsWith('ticket')
      ? ticket
      : {
          body: 'At the quay.',
          plain_text_body: 'At the quay.',
          app_url: ticket.app_url,
          links: {
            author: { href: 'https://api.groovehq.example/v1/agents/mia@ferry.example' },
            ticket: { href: 'https://api.groovehq.example/v1/tickets/9' },
          },
        },
  })),
});
