import { firstOf, oneOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS } from '../integration.ts';
import { bullets, link, md, paragraphs } from '../markdown.ts';
import { asWords, noted, person } from '../words/index.ts';

const by = { full_name: 'Mia Member', permalink: 'https://tree.taiga.example/profile/mia' };
const project = { name: 'Boats', permalink: 'https://tree.taiga.example/project/boats' };
const data = (type: string) => ({
  project,
  permalink: `https://tree.taiga.example/project/boats/${type}/1`,
  ...(type === 'milestone'
    ? { name: 'Launch' }
    : type === 'wikipage'
      ? { slug: 'knots' }
      : { ref: 7, subject: 'Tar the keel' }),
});
const TYPES = ['userstory', 'task', 'issue', 'epic', 'milestone', 'wikipage'];

export const taiga = integration({
  name: 'taiga',
  title: 'Taiga',
  category: 'Projects',
  setUp: 'In the project open Settings, Integrations, Webhooks, and paste the address as URL.',
  events: [...TYPES, 'test'],
  options: [OPTIONS.secret],
  signature: { header: 'x-taiga-webhook-signature', algorithm: 'sha1' },
  read: (at) => {
    const [event, action] = [at('type').need, at('action').need];
    const who = person(at('by')) || 'Somebody';
    if (event === 'test') return { event, topic: 'Taiga', content: md`${who} tried the webhook of Taiga.` };
    if (!TYPES.includes(event)) throw new UnsupportedEvent(event);
    const it = at('data');
    const name = oneOf(it.at('subject'), it.at('name'), it.at('slug'));
    const changes = at('change.diff').members.map(
      ([field, one]) => md`${asWords(field)}: ${firstOf(one.at('from'), 'none')} → ${firstOf(one.at('to'), 'none')}`,
    );
    const did = { create: 'created', change: 'changed', delete: 'deleted' }[action] ?? action;
    const kind = { userstory: 'user story', wikipage: 'wiki page' }[event] ?? event;
    return {
      event,
      topic: it.at('project.name').text || name,
      content: paragraphs(
        noted(
          md`${who} ${at('change.comment').text === '' ? did : 'commented on'} the ${kind} ${link(name, it.at('permalink'))}`,
          at('change.comment'),
        ),
        bullets(changes),
      ),
    };
  },
  samples: [
    ...TYPES.map((type) => ({ of: `Created: ${type}`, json: { type, action: 'create', by, data: data(type) } })),
    {
      of: 'A story changes',
      json: {
        type: 'userstory',
        action: 'change',
        by,
        data: data('userstory'),
        change: { comment: '', diff: { status: { from: 'New', to: 'Done' } } },
      },
    },
    {
      of: 'A task is commented on',
      json: { type: 'task', action: 'change', by, data: data('task'), change: { comment: 'Tar helps.', diff: {} } },
    },
    { of: 'The webhook is tried', json: { type: 'test', action: 'test', by, data: { test: 'test' } } },
  ],
});
