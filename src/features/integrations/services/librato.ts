import { type At, type Field, firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bold, bullets, link, type Markdown, md, paragraphs, time } from '../markdown.ts';
import { asWords, links, state } from '../words/index.ts';

const alert = {
  id: 6268092,
  name: 'boats.slow',
  runbook_url: 'https://runbooks.ferry.example/slow',
  description: 'Boats are slow',
};

/**
 * The violated limit: older versions have it in the violation, newer ones in a condition that the violation refers to
 * by ID.
 */
function limitOf(at: At, violation: Field): Markdown | undefined {
  const violated = violation.at('condition_violated').text;
  const condition = at('conditions').list.find((one) => one.at('id').text === violated);
  if (condition === undefined)
    return violation.at('threshold').exists ? md` (threshold ${violation.at('threshold').text})` : undefined;
  const [kind, limit, seconds] = ['type', 'threshold', 'duration'].map((name) => condition.at(name).text);
  const long = seconds === '' ? undefined : md` for ${seconds} s`;
  return md` (${asWords(condition.at('summary_function').text)} ${kind}${limit === '' ? undefined : md` ${limit}`}${long})`;
}

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
    const url = `https://metrics.librato.com/alerts#/${id}`;
    const violations = at('violations').members.flatMap(([source, all]) =>
      all.list.map(
        (one) =>
          md`${source}: ${one.at('metric')} was ${bold(one.at('value').text)}${limitOf(at, one)}${one.at('recorded_at').exists ? md`, ${time(one.at('recorded_at'))}` : undefined}`,
      ),
    );
    const isClear = at('clear').exists;
    return {
      topic: `Alert ${at('alert.name').text || id}`,
      content: paragraphs(
        md`${state(isClear ? 'resolved' : 'triggered')} ${link(at('alert.name').text || id, url)}${isClear ? md` (${at('clear').text})` : undefined}${at('triggered_by_user_test').isTrue ? md` (a test)` : undefined}`,
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
    {
      of: 'Several conditions are met',
      json: {
        alert: { ...alert, version: 2 },
        account: 'mia@ferry.example',
        trigger_time: 1_780_000_000,
        conditions: [
          { id: 41, type: 'above', threshold: 4, summary_function: 'absolute_value', duration: 300 },
          { id: 42, type: 'absent', summary_function: 'average', duration: 60 },
        ],
        violations: {
          'boat-1': [
            { metric: 'boats.speed', value: 46, recorded_at: 1_780_000_000, condition_violated: 41 },
            { metric: 'boats.tar', value: 42, recorded_at: 1_780_000_000, condition_violated: 42 },
          ],
        },
        triggered_by_user_test: true,
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
