import { type At, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration } from '../integration.ts';
import { bold, code, facts, link, md, paragraphs, quote, time } from '../markdown.ts';
import { asWords, links, mark, state } from '../words/index.ts';

const fault = {
  id: 3,
  klass: 'NameError',
  message: 'no boat named raft',
  component: 'harbour',
  action: 'moor',
  environment: 'production',
  notices_count: 4,
  url: 'https://app.honeybadger.example/projects/1/faults/3',
};
const EVENTS = [
  'occurred',
  'resolved',
  'unresolved',
  'rate_exceeded',
  'assigned',
  'commented',
  'deployed',
  'down',
  'up',
  'check_in_missing',
  'check_in_reporting',
];

/** Project and environment, which may be only in brackets at the beginning of the text. */
function topicOf(at: At): string {
  const [, named = ''] = /^\[([^\]]+)\]/.exec(at('message').text) ?? [];
  if (named.includes('/')) return named;
  const project = firstOf(at('project.name'), named, 'Honeybadger');
  const environment = firstOf(at('fault.environment'), at('project.environments.0.name'));
  return environment === '' ? project : `${project}/${environment}`;
}

export const honeybadger = integration({
  name: 'honeybadger',
  title: 'Honeybadger',
  category: 'Monitoring',
  setUp: 'In the project open Settings, Alerts & Integrations, WebHook, and paste the address.',
  events: EVENTS,
  read: (at) => {
    const event = at('event').need;
    const topic = topicOf(at);
    if (event === 'deployed')
      return {
        event,
        topic,
        content: md`${at('deploy.local_username').text || 'Somebody'} deployed ${code(at('deploy.revision').text)} to ${at('deploy.environment')}.`,
      };
    if (event === 'down' || event === 'up')
      return {
        event,
        topic,
        content: paragraphs(
          md`${state(event)} ${link(at('site.name'), at('site.url'))}`,
          facts({
            Reason: event === 'down' ? at('outage.reason') : '',
            Since: time(at('outage.down_at')),
            Until: time(at('outage.up_at')),
          }),
          links({ Details: firstOf(at('outage.details_url'), at('site.details_url')) }),
        ),
      };
    if (event.startsWith('check_in')) {
      const it = at('check_in');
      const said = state(
        event === 'check_in_missing' ? 'missing' : 'reporting',
        event === 'check_in_missing' ? 'bad' : 'good',
      );
      return {
        event,
        topic,
        content: paragraphs(
          md`${said} ${link(it.at('name'), it.at('details_url'))}`,
          facts({ Expected: time(it.at('expected_at')), Reported: time(it.at('reported_at')) }),
        ),
      };
    }
    if (!EVENTS.includes(event)) throw new UnsupportedEvent(event);
    const it = at('fault');
    return {
      event,
      topic,
      content: paragraphs(
        md`${mark(event === 'resolved' ? 'good' : event === 'occurred' || event === 'rate_exceeded' ? 'bad' : 'note')} ${link(`${it.at('klass').need}: ${it.at('message').text}`, it.at('url'))}: ${bold(asWords(event))}${at('actor.name').exists ? md` by ${at('actor.name').text}` : undefined}.`,
        quote(at('comment.body')),
        facts({
          Where: [it.at('component').text, it.at('action').text].filter((part) => part !== '').join('#'),
          Environment: it.at('environment'),
          Times: it.at('notices_count'),
          // The rate is only in the text.
          Rate: event === 'rate_exceeded' ? at('message').text.replace(/^\[[^\]]*\]\s*/, '') : '',
          'Assigned to': at('assignee.name'),
        }),
      ),
    };
  },
  samples: [
    ...EVENTS.map((event) => ({
      of: `A fault: ${event}`,
      json: {
        event,
        message: `[Boats/production] NameError ${event === 'rate_exceeded' ? 'has occurred 2 time(s) in the past hour' : event}`,
        project: { id: 1, name: 'Boats', environments: [{ id: 9, name: 'production' }] },
        fault,
        actor: { name: 'Mia Member' },
        deploy: { environment: 'production', revision: '1bb2a3c', local_username: 'mia' },
        site: { name: 'Boats', url: 'https://boats.ferry.example' },
        ...((event === 'down' || event === 'up') && {
          outage: {
            down_at: '2026-11-20T10:00:00.153649Z',
            up_at: event === 'up' ? '2026-11-20T10:01:01.153649Z' : null,
            status: 503,
            reason: 'Expected 2xx status code -- got 503',
            details_url: 'https://app.honeybadger.example/projects/1/sites/2',
          },
        }),
        ...(event.startsWith('check_in') && {
          check_in: {
            id: 'wq',
            name: 'Nightly count',
            state: event.slice('check_in_'.length),
            expected_at: '2026-11-20T10:00:00Z',
            reported_at: '2026-11-20T09:56:00Z',
            details_url: 'https://app.honeybadger.example/projects/1/check_ins',
          },
        }),
        ...(event === 'commented' && { comment: { body: 'Ask Max.' } }),
        ...(event === 'assigned' && { assignee: { name: 'Max Member' } }),
      },
    })),
    {
      of: 'A fault whose project is told by the message alone',
      json: {
        event: 'assigned',
        message: '[Boats/production] NameError assigned to Max Member by Mia Member',
        actor: { id: 7, email: 'mia@ferry.example', name: 'Mia Member' },
        fault: { ...fault, component: '', assignee: 'max@ferry.example' },
        assignee: { id: 8, name: 'Max Member' },
      },
    },
  ],
});
