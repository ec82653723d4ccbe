import { integration } from '../integration.ts';
import { lines, md } from '../markdown.ts';

export const flock = integration({
  name: 'flock',
  title: 'Flock',
  category: 'Communication',
  setUp: 'In Flock open Admin Panel, Webhooks, Outgoing, and paste the address as Callback URL.',
  read: (at) => ({
    topic: 'Flock notifications',
    content: lines(
      (at('text').text || at('notification').text || at('flockml').need.replaceAll(/<[^<>]*>/g, ''))
        .split('\n')
        .concat(
          at('attachments')
            .list.map((one) =>
              [one.at('title').text, one.at('description').text].filter((part) => part !== '').join(': '),
            )
            .filter((line) => line !== ''),
        )
        .map((line) => md`${line}`),
    ),
  }),
  samples: [
    { of: 'A message', json: { text: 'The ferry is late.', id: 'd1' } },
    { of: 'A note', json: { notification: 'Mia sent a note', text: '' } },
    {
      of: 'A reply to a note',
      json: {
        attachments: [{ title: 'in reply to Mia', description: 'Timetable', color: '#0BBE51', forward: false }],
        id: 'd2',
        to: 'g:1',
        from: 'u:1',
        text: 'It is up to date.',
      },
    },
    { of: 'A formatted message', json: { text: '', flockml: '<flockml>The <b>ferry</b> is late.</flockml>' } },
  ],
});
