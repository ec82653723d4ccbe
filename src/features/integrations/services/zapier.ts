import { oneOf } from '../field.ts';
import { integration } from '../integration.ts';
import { written } from '../markdown.ts';

export const zapier = integration({
  name: 'zapier',
  title: 'Zapier',
  category: 'Other',
  setUp:
    'In a Zap choose the action Webhooks by Zapier, POST, the address, the type JSON, and the fields topic and content. The app for Zulip works too: enter the address of this server, and the email address and key of the bot.',
  adds: ['topic'],
  // The app sends `type: auth` when a user connects it, to show whose key it has.
  answer: (at, { full_name, email, id }) => (at('type').text === 'auth' ? { full_name, email, id } : undefined),
  read: (at, { option }) => {
    if (at('type').text === 'auth') return undefined;
    return { topic: oneOf(option('topic'), at('topic'), at('subject')), content: written(at('content')) };
  },
  samples: [
    { of: 'A Zap runs', json: { topic: 'Sheets', content: 'A row was *added*.' } },
    { of: 'The app sends a message', json: { type: 'stream', topic: 'Sheets', content: 'Three rows were added.' } },
    { of: 'An older Zap runs', json: { subject: 'Sheets', content: 'A sheet was added.' } },
    { of: 'A message with a link', json: { topic: 'Sheets', content: 'See [row 4](https://sheets.example/4).' } },
    { of: 'A message that would mention somebody', json: { topic: 'Sheets', content: 'Thanks, @**Max Member**' } },
  ],
});
