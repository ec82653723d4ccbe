import { type At, firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bold, code, facts, md, paragraphs } from '../markdown.ts';
import { links, mark } from '../words/index.ts';

/** Whether this is the test call that is sent when a token is created. */
function isTrial(at: At): boolean {
  return (
    at('memo').text.startsWith('Congrats! The newly saved webhook works') ||
    at('manage_url').text.endsWith('/test/url/for/webhook')
  );
}

export const canarytoken = integration({
  name: 'canarytoken',
  title: 'Thinkst Canarytokens',
  category: 'Monitoring',
  setUp: 'When you make a token, paste the address as the webhook to notify.',
  read: (at) => {
    const isTest = isTrial(at);
    const memo = at('memo').text;
    const head = isTest
      ? md`${mark('good')} The webhook works: this call is a test.`
      : md`${mark('bad')} A canarytoken was triggered${memo === '' ? undefined : md`: ${bold(at('memo'))}`}.`;
    const seen = at('additional_data');
    return {
      topic: 'canarytoken alert',
      content: paragraphs(
        head,
        // A test call has no visitor.
        isTest
          ? undefined
          : facts({
              Channel: at('channel'),
              Source: code(firstOf(at('src_ip'), seen.at('src_ip'))),
              Time: at('time'),
              Program: seen.at('useragent'),
              // Whoever triggered the token determines these texts.
              Referer: code(seen.at('referer').text),
              Location: code(seen.at('location').text),
            }),
        links({ Manage: at('manage_url') }),
      ),
    };
  },
  samples: [
    {
      of: 'A token is triggered',
      json: {
        channel: 'HTTP',
        time: '2026-11-20 10:00:00',
        memo: 'Plans of the boats',
        src_ip: '203.0.113.9',
        manage_url: 'https://canarytokens.example/manage?token=1',
        additional_data: { useragent: 'curl/8' },
      },
    },
    {
      of: 'A token in a page is triggered',
      json: {
        manage_url: 'https://canarytokens.example/manage?token=2&auth=3',
        memo: 'Copy of the timetable',
        additional_data: {
          src_ip: '203.0.113.10',
          useragent: 'Mozilla/5.0 (X11; Linux x86_64; rv:76.0) Gecko/20100101 Firefox/76.0',
          referer: 'https://boats.ferry.example/',
          location: 'https://boats.ferry.example/plans',
        },
        channel: 'HTTP',
        time: '2026-11-20 14:04:47 (UTC)',
      },
    },
    {
      of: 'The webhook is tried',
      json: {
        manage_url: 'http://example.com/test/url/for/webhook',
        memo: 'Congrats! The newly saved webhook works',
        additional_data: {
          src_ip: '1.1.1.1',
          useragent: 'Mozilla/5.0...',
          referer: 'http://example.com/referrer',
          location: 'http://example.com/location',
        },
        channel: 'HTTP',
        time: '2026-11-20 14:04:39',
      },
    },
  ],
});
