import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { readSlack } from '../words/index.ts';

export const appfollow = integration({
  name: 'appfollow',
  title: 'AppFollow',
  category: 'Customers',
  setUp: 'In AppFollow open Integrations, Zulip or Webhooks, and paste the address.',
  read: (at) => {
    const text = at('text').need;
    const [, name] = /\*?App:?\*?\s*\[?([^\]\n(]+)/.exec(text) ?? [];
    return { topic: firstOf(name?.trim() ?? '', at('app_name'), 'AppFollow'), content: readSlack(at('')) };
  },
  samples: [
    {
      of: 'A review',
      json: { text: '*App: Ferry*\n★★★★☆ by Gus Guest\nDry, mostly. <https://appfollow.example/r/1|Permalink>' },
    },
    { of: 'A summary', json: { text: 'Ratings of last week: 4.5' } },
    {
      of: 'A review with a name of the app in brackets',
      json: { text: '*App:* [Ferry]\n★☆☆☆☆ by Max Member\nWet feet. <https://appfollow.example/r/2|Permalink>' },
    },
  ],
});
