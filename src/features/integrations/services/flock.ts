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
        .map((line) => md`${line}`),
    ),
  }),
  samples: [
    { of: 'A message', json: { text: 'The ferry is late.', id: 'd1' } },
    { of: 'A note', json: { notification: 'Mia sent a note', text: '' } },
    { of: 'A formatted message', json: { text: '', flockml: '<flockml>The <b>ferry</b> is late.</flockml>' } },
  ],
});
