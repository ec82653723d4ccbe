import { integration } from '../integration.ts';
import { written } from '../markdown.ts';

export const zapier = integration({
  name: 'zapier',
  title: 'Zapier',
  category: 'Other',
  setUp:
    'In a Zap choose the action Webhooks by Zapier, POST, the address, the type JSON, and the fields topic and content.',
  read: (at) => {
    if (at('type').text === 'auth') return undefined;
    return { topic: at('topic').need, content: written(at('content')) };
  },
  samples: [
    { of: 'A Zap runs', json: { topic: 'Sheets', content: 'A row was *added*.' } },
    { of: 'A message with a link', json: { topic: 'Sheets', content: 'See [row 4](https://sheets.example/4).' } },
    { of: 'A message that would mention somebody', json: { topic: 'Sheets', content: 'Thanks, @**Max Member**' } },
  ],
});
