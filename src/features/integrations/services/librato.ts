import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bold, bullets, link, md, paragraphs, time } from '../markdown.ts';
import { links, state } from '../words/index.ts';

const alert = {
  id: 6268092,
  name: 'boats.slow',
  runbook_url: 'https://runbooks.ferry.example/slow',
  description: 'Boats are slow',
};

export const librato = integration({
  name: 'librato',
  title: 'Librato',
  category: 'Monitoring',
  setUp:
    'In Librato open Settings, Notification Services, Webhook. Paste the address as URL, and choose it in the alerts.',
  read: (at) => {
    if (at('attachments').exists)
      return {
        topic: 'Snapshots',
        content: paragraphs(
          ...at('attachments').list.map(
            (one) =>
              md`${one.at('author_name').text || 'Somebody'} sent a ${link('snapshot', one.at('image_url'))} of ${link(firstOf(one.at('title'), 'a metric'), one.at('title_link'))}.`,
          ),
        ),
      };
    const id = at('alert.id').need;
    const url = `https://metrics.librato.com/alerts/${id}`;
    const violations = at('violations').members.flatMap(([source, all]) =>
      all.list.map(
        (one) =>
          md`${source}: ${one.at('metric')} was ${bold(one.at('value').text)} (threshold ${one.at('threshold').text})${one.at('recorded_at').exists ? md`, ${time(one.at('recorded_at'))}` : undefined}`,
      ),
    );
    const isClear = at('clear').exists;
    return {
      topic: `Alert ${at('alert.name').text || id}`,
      content: paragraphs(
        md`${state(isClear ? 'resolved' : 'triggered')} ${link(at('alert.name').text || id, url)}${isClear ? md` (${at('clear').text})` : undefined}`,
        md`${at('alert.description').text}`,
        bullets(violations),
        links({ Runbook: at('alert.runbook_url') }),
      ),
    };
  },
  samples: [
    {
      of: 'A threshold is passed',
      form: {
        payload: JSON.stringify({
          alert,
          violations: {
            'boat-1': [
              { metric: 'boats.speed', value: 2, threshold: 4, condition_violated: 'below', recorded_at: 1780000000 },
            ],
          },
        }),
      },
    },
    { of: 'An alert is over', json: { alert, clear: 'normal' } },
    {
      of: 'A snapshot',
      json: {
        attachments: [
          {
            title: 'Speed',
            title_link: 'https://metrics.librato.example/s/1',
            image_url: 'https://snapshots.librato.example/1.png',
            author_name: 'mia',
          },
        ],
      },
    },
  ],
});
