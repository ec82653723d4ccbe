import { oneOf } from '../field.ts';
import { integration } from '../integration.ts';
import { written } from '../markdown.ts';

export const ifttt = integration({
  name: 'ifttt',
  title: 'IFTTT',
  category: 'Other',
  setUp:
    'Make an applet with the service Webhooks, Make a web request, the method POST, the type application/json, and a body with topic and content.',
  adds: ['topic'],
  // Old applets send `subject`; a topic in the URL overrides both.
  read: (at, { option }) => ({
    topic: oneOf(option('topic'), at('topic'), at('subject')),
    content: written(at('content')),
  }),
  samples: [
    { of: 'An applet runs', json: { topic: 'Weather', content: 'It **rains**.' } },
    { of: 'An older applet runs', json: { subject: 'Weather', content: 'It is dry.' } },
    { of: 'A message of several lines', json: { topic: 'Weather', content: 'Rain:\n\n* morning\n* evening' } },
    { of: 'A message that would mention somebody', json: { topic: 'Weather', content: 'Storm! @**Max Member**' } },
  ],
});
