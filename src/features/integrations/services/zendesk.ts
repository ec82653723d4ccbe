import { firstOf } from '../field.ts';
import { integration, OPTIONS } from '../integration.ts';
import { lines, md } from '../markdown.ts';

export const zendesk = integration({
  name: 'zendesk',
  title: 'Zendesk',
  category: 'Customers',
  setUp:
    'In the Admin Center open Apps and integrations, Webhooks, and make one with the address. Then make a trigger that sends ticket_title, ticket_id and message as JSON.',
  options: [OPTIONS.secret],
  signature: {
    header: 'x-zendesk-webhook-signature',
    algorithm: 'sha256',
    encoding: 'base64',
    timeHeader: 'x-zendesk-webhook-signature-timestamp',
    signed: (time) => time,
  },
  read: (at, { option }) => {
    const id = firstOf(at('ticket_id'), option('ticket_id'));
    const title = firstOf(at('ticket_title'), option('ticket_title')) || at('ticket_title').need;
    return {
      topic: id === '' ? title : `#${id}: ${title}`,
      content: lines(
        at('message')
          .need.split('\n')
          .map((line) => md`${line}`),
      ),
    };
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
      of: 'A ticket is new',
      json: { ticket_title: 'Which quay?', ticket_id: 5, message: 'Gus Guest opened the ticket.\n\nWhich quay is it?' },
    },
  ],
});
