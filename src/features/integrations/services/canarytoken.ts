import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bold, code, facts, md, paragraphs } from '../markdown.ts';
import { links, mark } from '../words/index.ts';

export const canarytoken = integration({
  name: 'canarytoken',
  title: 'Thinkst Canarytokens',
  category: 'Monitoring',
  setUp: 'When you make a token, paste the address as the webhook to notify.',
  read: (at) => ({
    topic: 'canarytoken alert',
    content: paragraphs(
      md`${mark('bad')} A canarytoken was triggered${at('memo').text === '' ? undefined : md`: ${bold(at('memo'))}`}.`,
      facts({
        Channel: at('channel'),
        Source: code(firstOf(at('src_ip'), at('additional_data.src_ip'))),
        Time: at('time'),
        Program: at('additional_data.useragent'),
      }),
      links({ Manage: at('manage_url') }),
    ),
  }),
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
    { of: 'The webhook is tried', json: { manage_url: 'https://canarytokens.example/test', memo: 'Congrats!' } },
    {
      of: 'The webhook is tried, with what the token saw',
      json: {
        manage_url: 'https://canarytokens.example/manage?token=2',
        memo: 'Congrats! The newly saved webhook works',
        additional_data: {
          src_ip: '203.0.113.10',
          useragent: 'Mozilla/5.0...',
          referer: 'https://boats.ferry.example/',
          location: 'https://boats.ferry.example/plans',
        },
        channel: 'HTTP',
        time: '2026-11-20 14:04:39',
      },
    },
  ],
});
