import { Field, firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { readSlack } from '../words/index.ts';

/** Links to AppFollow. Only these stay links, because the same text contains reviews by strangers. */
const OWN_LINK = /\[([^[\]<>|\n]{1,200})\]\((https?:\/\/(?:[\w-]{1,60}\.)?appfollow\.io\/[^\s()<>|]{0,1000})\)/gi;

export const appfollow = integration({
  name: 'appfollow',
  title: 'AppFollow',
  category: 'Customers',
  setUp: 'In AppFollow open Integrations, Zulip or Webhooks, and paste the address.',
  read: (at) => {
    const text = at('text').need;
    const [first = ''] = text.trim().split('\n', 1);
    // The app's name is in the first line: alone, or after "App:".
    const [, name = ''] = /^\*?App:\*?\s*\[?([^\]\n(*]+)/.exec(first) ?? [];
    const topic = firstOf(name.trim(), at('app_name'), first.replaceAll('*', '').trim(), 'AppFollow');
    const linked = text.replaceAll(OWN_LINK, '<$2|$1>');
    return {
      topic,
      content: readSlack(new Field({ text: linked, blocks: at('blocks').value, attachments: at('attachments').value })),
    };
  },
  samples: [
    {
      of: 'A review',
      json: {
        text: 'Ferry - Timetable\nApp Store, Ferry Ltd.\n★★★★☆ Norway\n*Dry, mostly*\nIt was on time, and so was I.\n_by_ *Gus Guest* _for v3.9_\n[Permalink](http://appfollow.io/r/1) · [Add tag](http://watch.appfollow.io/r/1/tag)',
      },
    },
    {
      of: 'The webhook is tried',
      json: { text: 'Webhook integration was successful.\nMia Member / Ferry (Google Play)' },
    },
    {
      of: 'A review that names the app with a word before it',
      json: { text: '*App:* [Ferry]\n★☆☆☆☆ by Max Member\nWet feet. <https://appfollow.io/r/2|Permalink>' },
    },
  ],
});
