import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { facts, link, md, paragraphs, time } from '../markdown.ts';
import { asWords, counted, type Mood, state } from '../words/index.ts';

const check = { url: 'https://boats.ferry.example', alias: 'Boats', last_status: 500, uptime: 99.9 };
const EVENTS = [
  'check.down',
  'check.up',
  'check.still_down',
  'check.ssl_invalid',
  'check.ssl_valid',
  'check.ssl_expiration',
  'check.performance_drop',
];

/** Formats a duration: in seconds below two minutes, else in minutes. */
const lasted = (seconds: number) =>
  seconds < 120 ? counted(seconds, 'second') : counted(Math.round(seconds / 60), 'minute');

export const updown = integration({
  name: 'updown',
  title: 'updown.io',
  category: 'Monitoring',
  setUp: 'In updown.io open Settings, Webhooks, and paste the address.',
  events: EVENTS,
  read: (at) =>
    at('').list.map((one) => {
      const event = one.at('event').need;
      const host = firstOf(one.at('check.alias'), one.at('check.url')).replace(/^https?:\/\//, '');
      const seconds = one.at('downtime.duration').number;
      const mood: Mood = /\.(up|ssl_valid)$/.test(event) ? 'good' : 'bad';
      return {
        event,
        topic: host,
        content: paragraphs(
          md`${state(asWords(event.replace('check.', '')), mood)} ${link(host, one.at('check.url'))}${seconds === undefined ? undefined : md`, down for ${lasted(seconds)}`}`,
          facts({
            Error: one.at('downtime.error'),
            Since: one.at('downtime.started_at').exists ? time(one.at('downtime.started_at')) : '',
            Days: one.at('ssl.days_before_expiration'),
          }),
        ),
      };
    }),
  samples: EVENTS.map((event) => ({
    of: `A check: ${event}`,
    json: [
      {
        event,
        check,
        ...(/down|up/.test(event) && {
          downtime: {
            error: '500',
            started_at: '2026-11-20T10:00:00Z',
            ...(event === 'check.up' && { duration: 240 }),
          },
        }),
        ...(event === 'check.ssl_expiration' && { ssl: { days_before_expiration: 7 } }),
      },
    ],
  })),
});
