import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bold, lines, md, paragraphs } from '../markdown.ts';

export const homeassistant = integration({
  name: 'homeassistant',
  title: 'Home Assistant',
  category: 'Other',
  setUp:
    'In configuration.yaml add a notify service of the platform rest with the address as resource and the method POST_JSON.',
  read: (at) => ({
    topic: firstOf(at('topic'), at('title'), 'homeassistant'),
    content: paragraphs(
      // If there is no topic, the title is the topic and is not repeated here.
      at('title').exists && at('topic').exists ? bold(at('title')) : undefined,
      lines(
        at('message')
          .need.split('\n')
          .map((line) => md`${line}`),
      ),
    ),
  }),
  samples: [
    { of: 'A message', json: { message: 'The lamp at the quay is on.' } },
    { of: 'A message with a title', json: { title: 'Quay', message: 'The lamp is on.' } },
    { of: 'A message with a topic', json: { topic: 'Lamps', title: 'Quay', message: 'The lamp is off.\nGood night.' } },
  ],
});
