import { type At, firstOf } from '../field.ts';
import { integration, OPTIONS, type Said } from '../integration.ts';
import { bold, facts, link, md, paragraphs, quote } from '../markdown.ts';
import { asWords, noted } from '../words/index.ts';

/** The event type of a webhook that is subscribed directly to events of tickets. */
const EVENT = /^zen:event-type:ticket\.(\w+)$/;

function happened(at: At): Said {
  const [, what = ''] = EVENT.exec(at('type').text) ?? [];
  const it = at('detail');
  const [before, after] = [at('event.previous').text, at('event.current').text];
  return {
    topic: `#${it.at('id').need}: ${it.at('subject').text}`,
    content: paragraphs(
      noted(
        md`Ticket #${it.at('id')}: ${bold(asWords(what))}${after === '' ? undefined : md` (${before || 'none'} → ${after})`}`,
        firstOf(at('event.comment.body'), what === 'created' ? it.at('description') : ''),
      ),
      facts({
        Status: asWords(it.at('status').text),
        Priority: asWords(it.at('priority').text),
        Kind: asWords(it.at('type').text),
      }),
    ),
  };
}

/** Describes a ticket from the usual placeholders of a trigger. */
const ticket = (at: At) =>
  paragraphs(
    md`${link(`Ticket #${at('ticket_id').need}: ${at('ticket_title').text}`, firstOf(at('link'), at('ticket_url')))}`,
    facts({
      Status: at('ticket_status'),
      Priority: at('ticket_priority'),
      Kind: at('ticket_type'),
      From: at('requester_full_name'),
      'Assigned to': at('assignee_full_name'),
      Tags: at('tags'),
    }),
    quote(at('ticket_description')),
  );

const detail = {
  id: '6',
  subject: 'Wet seats',
  description: 'The seats on deck are wet.',
  status: 'OPEN',
  priority: 'NORMAL',
  type: 'INCIDENT',
  tags: ['deck'],
  requester_id: '8',
};
const event = (name: string, more: object, at = detail) => ({
  account_id: 1,
  id: '01GQ',
  subject: 'zen:ticket:6',
  time: '2026-11-20T10:00:00Z',
  type: `zen:event-type:ticket.${name}`,
  zendesk_event_version: '2022-06-20',
  event: more,
  detail: at,
});

export const zendesk = integration({
  name: 'zendesk',
  title: 'Zendesk',
  category: 'Customers',
  setUp:
    'In the Admin Center open Apps and integrations, Webhooks, and make one with the address. Subscribe it to events of tickets, or make a trigger that sends ticket_title, ticket_id and message as JSON.',
  options: [OPTIONS.secret],
  adds: ['ticket_id', 'ticket_title'],
  signature: {
    header: 'x-zendesk-webhook-signature',
    algorithm: 'sha256',
    encoding: 'base64',
    timeHeader: 'x-zendesk-webhook-signature-timestamp',
    signed: (time) => time,
  },
  read: (at, { option }) => {
    if (EVENT.test(at('type').text)) return happened(at);
    const id = firstOf(at('ticket_id'), option('ticket_id'));
    const title = firstOf(at('ticket_title'), option('ticket_title'));
    const topic = at('topic').text || (id === '' ? title || at('ticket_title').need : `#${id}: ${title}`);
    // A quotation, because a trigger's text can contain what customers wrote.
    return { topic, content: at('message').exists ? quote(at('message').need) : ticket(at) };
  },
  samples: [
    {
      of: 'A trigger',
      json: { ticket_title: 'Lost luggage', ticket_id: '4', message: 'Ticket 4 was changed by Mia.\nStatus: open' },
    },
    {
      of: 'A target of older triggers',
      query: 'ticket_title=Lost+luggage&ticket_id=4',
      form: { message: 'Ticket 4 was changed by Mia.' },
    },
    {
      of: 'A trigger with fields of the ticket',
      json: {
        ticket_id: '7',
        ticket_title: 'Lost luggage',
        ticket_description: 'Gus Guest, Nov 20, 2026, 10:00\n\nA red case.',
        ticket_url: 'ferry.zendesk.example/agent/tickets/7',
        ticket_status: 'Open',
        ticket_priority: 'Normal',
        requester_full_name: 'Gus Guest',
        assignee_full_name: 'Mia Member',
        ticket_type: 'Incident',
        tags: 'luggage deck',
        link: 'https://ferry.zendesk.example/agent/tickets/7',
      },
    },
    {
      of: 'A trigger that is formatted and chooses its topic',
      json: {
        topic: 'luggage',
        message: '**Status:** open\n\n[Ticket](https://ferry.zendesk.example/agent/tickets/7)',
      },
    },
    { of: 'An event: a ticket is created', json: event('created', {}) },
    {
      of: 'An event: a status changes',
      json: event('status_changed', { current: 'SOLVED', previous: 'OPEN' }, { ...detail, status: 'SOLVED' }),
    },
    {
      of: 'An event: a comment is added',
      json: event('comment_added', {
        comment: { id: '1', body: 'Towels are on deck.', is_public: true, author: { id: '8' } },
      }),
    },
    {
      of: 'A ticket is new',
      json: { ticket_title: 'Which quay?', ticket_id: 5, message: 'Gus Guest opened the ticket.\n\nWhich quay is it?' },
    },
  ],
});
