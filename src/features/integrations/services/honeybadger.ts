import { firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration } from '../integration.ts';
import { bold, code, facts, link, md, paragraphs, quote } from '../markdown.ts';
import { asWords, mark, state } from '../words/index.ts';

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
];

export const honeybadger = integration({
  name: 'honeybadger',
  title: 'Honeybadger',
  category: 'Monitoring',
  setUp: 'In the project open Settings, Alerts & Integrations, WebHook, and paste the address.',
  events: EVENTS,
  read: (at) => {
    const event = at('event').need;
    const topic = at('project.name').text || 'Honeybadger';
    if (event === 'deployed')
      return {
        event,
        topic,
        content: md`${at('deploy.local_username').text || 'Somebody'} deployed ${code(at('deploy.revision').text)} to ${at('deploy.environment')}.`,
      };
    if (event === 'down' || event === 'up')
      return { event, topic, content: md`${state(event)} ${link(at('site.name'), at('site.url'))}` };
    if (!EVENTS.includes(event)) throw new UnsupportedEvent(event);
    const it = at('fault');
    return {
      event,
      topic,
      content: paragraphs(
        md`${mark(event === 'resolved' ? 'good' : event === 'occurred' || event === 'rate_exceeded' ? 'bad' : 'note')} ${link(`${it.at('klass').need}: ${it.at('message').text}`, it.at('url'))}: ${bold(asWords(event))}${at('actor.name').exists ? md` by ${at('actor.name').text}` : undefined}.`,
        quote(at('comment.body')),
        facts({
          Where: firstOf(it.at('component')) && `${it.at('component').text}#${it.at('action').text}`,
          Environment: it.at('environment'),
          Times: it.at('notices_count'),
          'Assigned to': at('assignee.name'),
        }),
      ),
    };
  },
  samples: EVENTS.map((event) => ({
    of: `A fault: ${event}`,
    json: {
      event,
      project: { name: 'Boats' },
      fault,
      actor: { name: 'Mia Member' },
      deploy: { environment: 'production', revision: '1bb2a3c', local_username: 'mia' },
      site: { name: 'Boats', url: 'https://boats.ferry.example' },
      ...(event === 'commented' && { comment: { body: 'Ask Max.' } }),
      ...(event === 'assigned' && { assignee: { name: 'Max Member' } }),
    },
  })),
});
