import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bold, facts, paragraphs, quote, time } from '../markdown.ts';
import { links } from '../words/index.ts';

export const mention = integration({
  name: 'mention',
  title: 'Mention',
  category: 'Customers',
  setUp: 'In Zapier or by the API of Mention, send new mentions to the address.',
  read: (at) => ({
    topic: 'news',
    content: paragraphs(
      bold(at('title')),
      quote(at('description')),
      facts({
        Source: firstOf(at('source_name'), at('source_url')),
        Published: at('published_at').exists ? time(at('published_at')) : '',
      }),
      links({ Open: firstOf(at('original_url'), at('url')) }),
    ),
  }),
  samples: [
    {
      of: 'Something is mentioned',
      json: {
        title: 'The fastest ferry',
        description: 'It has four oars.',
        url: 'https://news.example/ferry',
        source_name: 'News',
        published_at: '2026-11-20T10:00:00Z',
      },
    },
    { of: 'A post', json: { title: 'Ferry!', original_url: 'https://social.example/1' } },
    {
      of: 'A page without words of its own',
      json: {
        title: 'Ferries of the north',
        description: '',
        source_url: 'https://north.example',
        url: 'https://north.example/1',
      },
    },
  ],
});
