import { lookUp } from '#kernel/lists';
import { type At, type Field, firstOf, oneOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS, type Said } from '../integration.ts';
import { bullets, link, type Markdown, md, paragraphs } from '../markdown.ts';
import { asWords, noted, person } from '../words/index.ts';

const by = { full_name: 'Mia Member', permalink: 'https://tree.taiga.example/profile/mia' };
const project = { name: 'Boats', permalink: 'https://tree.taiga.example/project/boats' };
const data = (type: string) => ({
  project,
  permalink: `https://tree.taiga.example/project/boats/${type}/1`,
  ...(type === 'milestone'
    ? { name: 'Launch' }
    : type === 'relateduserstory'
      ? { epic: { ref: 9, subject: 'Afloat', project }, user_story: { ref: 7, subject: 'Tar the keel', project } }
      : type === 'wikipage'
        ? { slug: 'knots' }
        : { ref: 7, subject: 'Tar the keel' }),
});
const TYPES = ['userstory', 'task', 'issue', 'epic', 'milestone', 'wikipage', 'relateduserstory'];

/** Fields that repeat others, or that hold a position in a list. */
const NO_NEWS = /_(?:diff|html|order)$|^(?:sprint_order|backlog_order|kanban_order|us_order|taskboard_order)$/;

/** Describes the changes. Of long texts only the name is shown; points have one value per role. */
function changesOf(at: At): readonly Markdown[] {
  const diff = at('change.diff').members;
  const step = (name: string, one: Field) =>
    md`${name}: ${firstOf(one.at('from'), 'none')} → ${firstOf(one.at('to'), 'none')}`;
  const texts = diff
    .filter(([name]) => name.endsWith('_diff'))
    .map(([name]) => md`${asWords(name.slice(0, -'_diff'.length))}`);
  return [
    ...diff
      .filter(([name]) => !NO_NEWS.test(name))
      .flatMap(([name, one]) =>
        name === 'points'
          ? one.members.map(([role, points]) => step(`points of ${role}`, points))
          : [step(asWords(name), one)],
      ),
    ...texts,
  ];
}

/** A story that was added to an epic, or removed from it. */
function related(at: At, who: string): Said {
  const [epic, story] = [at('data.epic'), at('data.user_story')];
  const did = at('action').text === 'delete' ? 'removed' : 'added';
  return {
    event: 'relateduserstory',
    topic: firstOf(epic.at('project.name'), story.at('project.name'), epic.at('subject').need),
    content: md`${who} ${did} the user story ${link(story.at('subject'), story.at('permalink'))} ${did === 'removed' ? 'from' : 'to'} the epic ${link(epic.at('subject'), epic.at('permalink'))}.`,
  };
}

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
    if (event === 'relateduserstory') return related(at, who);
    const name = oneOf(it.at('subject'), it.at('name'), it.at('slug'));
    const changes = changesOf(at);
    const did = lookUp({ create: 'created', change: 'changed', delete: 'deleted' }, action) ?? action;
    const kind = lookUp({ userstory: 'user story', wikipage: 'wiki page' }, event) ?? event;
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
      of: 'A story has other points and another text',
      json: {
        type: 'userstory',
        action: 'change',
        by,
        data: data('userstory'),
        change: {
          comment: '',
          comment_html: '',
          diff: {
            points: { UX: { from: '?', to: '5' } },
            sprint_order: { from: 1_484_072_668_937, to: 0 },
            description_diff: { from: null, to: '<ins style="background:#e6ffe6;">Twice.</ins>' },
            description_html: { from: '', to: '<p>Twice.</p>' },
          },
        },
      },
    },
    {
      of: 'A task is commented on',
      json: { type: 'task', action: 'change', by, data: data('task'), change: { comment: 'Tar helps.', diff: {} } },
    },
    { of: 'The webhook is tried', json: { type: 'test', action: 'test', by, data: { test: 'test' } } },
  ],
});
