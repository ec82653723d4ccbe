import { lookUp } from '#kernel/lists';
import { type At, type Field, firstOf } from '../field.ts';
import { integration, type Said } from '../integration.ts';
import { bullets, facts, link, type Markdown, md, paragraphs } from '../markdown.ts';
import { asWords, noted } from '../words/index.ts';

const actions = (action: string, changes: object = {}) => [
  {
    id: 1,
    entity_type: 'story',
    action,
    name: 'Tar the keel',
    story_type: 'feature',
    app_url: 'https://app.shortcut.example/ferry/story/1',
    changes,
  },
];
const call = (list: object[], more: object = {}) => ({
  id: 'c1',
  changed_at: '2026-11-20T10:00:00Z',
  primary_id: 1,
  member_id: 'm1',
  version: 'v1',
  actions: list,
  references: [
    { id: 500, entity_type: 'workflow-state', name: 'Doing' },
    { id: 501, entity_type: 'workflow-state', name: 'Done' },
  ],
  ...more,
});

/** Finds an object of a call by kind and ID; objects of different kinds can have the same ID. */
type Things = (kind: string, id: Field) => Field | undefined;

function known(at: At): Things {
  const all = [...at('references').list, ...at('actions').list];
  const things = new Map(all.map((one) => [`${one.at('entity_type').text} ${one.at('id').text}`, one]));
  return (kind, id) => (id.text === '' ? undefined : things.get(`${kind} ${id.text}`));
}

/** Returns an object's name; empty if the call does not have it. */
function nameOf(thing: Field | undefined): string {
  return thing === undefined ? '' : firstOf(thing.at('name'), thing.at('description'), thing.at('title'));
}

/** Returns the names of added or removed objects, or their number if the call does not have the names. */
function several(list: Field, kind: string, things: Things): string {
  const names = list.list.map((one) => nameOf(things(kind, one))).filter((name) => name !== '');
  const rest = list.count - names.length;
  return [...names, ...(rest > 0 ? [names.length > 0 ? `${rest} more` : String(rest)] : [])].join(', ');
}

/** Changes that follow from others, or that the message shows already. */
const QUIET = /position|_at$|changed|^(?:started|completed|archived|complete|text|epic_state_id)$/;
/** The ID of a person, for whom calls have no name. */
const PERSON = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Describes the changes of an object, one a line. */
function changesOf(it: Field, things: Things): readonly Markdown[] {
  return it
    .at('changes')
    .members.filter(([name]) => !QUIET.test(name))
    .flatMap(([name, one]) => {
      const kind = name.replace(/_ids?$/, '').replaceAll('_', '-');
      const value = (path: string) =>
        firstOf(nameOf(things(kind, one.at(path))), one.at(path), one.at(path).at('text'));
      const [before, after] = [value('old'), value('new')];
      const lists = (['adds', 'removes'] as const).flatMap((list) => {
        const what = several(one.at(list), kind, things);
        return what === '' ? [] : [`${what} ${list === 'adds' ? 'added' : 'removed'}`];
      });
      const said = lists.length > 0 ? lists.join('; ') : before === '' ? after : `${before} → ${after || 'none'}`;
      return said === '' || PERSON.test(after) ? [] : [md`${asWords(kind)}: ${said}`];
    });
}

const DONE: Readonly<Record<string, string>> = { create: 'was created', update: 'was changed', delete: 'was deleted' };

/** Describes the change if it is one that needs no details. */
function doneTo(it: Field): string | undefined {
  const changed = (name: string) => it.at(`changes.${name}.new`);
  if (changed('archived').exists) return changed('archived').isTrue ? 'was archived' : 'was taken out of the archive';
  if (changed('complete').exists) return changed('complete').isTrue ? 'was completed' : 'was reopened';
  return undefined;
}

/** Kinds of objects that come from a code repository. */
const FROM_CODE = new Set(['branch', 'pull-request', 'commit']);

/** Returns the story or epic that an object belongs to: by ID, or the one in the same call. */
function ownerOf(at: At, it: Field, things: Things): Field | undefined {
  const beside = at('actions').list.find((one) => /^(?:story|epic)$/.test(one.at('entity_type').text));
  return things('story', it.at('story_id')) ?? things('epic', it.at('epic_id')) ?? beside;
}

/** Describes a branch or a pull request of a story. */
function fromCode(it: Field, story: Field, things: Things): Said {
  const number = it.at('number').text;
  const kind = asWords(it.at('entity_type').need);
  const words = `${number === '' ? '' : `#${number} `}${firstOf(it.at('title'), it.at('name'), kind)}`;
  const did =
    it.at('action').text === 'comment' ? 'was commented on' : (lookUp(DONE, it.at('action').need) ?? 'was changed');
  const changes = changesOf(story, things).filter((one) => !/^(?:branch|pull request|commit):/.test(String(one)));
  return {
    topic: story.at('name').need,
    content: paragraphs(
      md`The ${kind} ${link(words, it.at('url'))} of ${link(story.at('name'), story.at('app_url'))} ${did}.`,
      bullets(changes),
    ),
  };
}

/** Details of a new story. */
function newOf(it: Field, things: Things): Markdown {
  const named = (kind: string, path: string) => nameOf(things(kind, it.at(path)));
  return facts({
    Project: named('project', 'project_id'),
    Epic: named('epic', 'epic_id'),
    State: named('workflow-state', 'workflow_state_id'),
    Type: it.at('story_type'),
  });
}

/** Describes an event about a story, an epic, or a task or comment of one. */
function toThing(at: At, it: Field, things: Things): Said | undefined {
  const action = it.at('action').need;
  const kind = asWords(it.at('entity_type').need);
  const parent = it.at('name').exists ? it : (ownerOf(at, it, things) ?? it);
  const topic = firstOf(parent.at('name'), it.at('description'), 'Shortcut');
  const url = firstOf(it.at('app_url'), it.at('url'), parent.at('app_url'));
  const words = firstOf(it.at('name'), it.at('description'));
  const name = words === '' ? link(kind, url) : md`${kind} ${link(words, url)}`;
  const of = parent === it ? undefined : md` of ${link(topic, parent.at('app_url'))}`;
  const did = doneTo(it);
  const changes = changesOf(it, things);
  const body = firstOf(it.at('text'), it.at('name').exists ? it.at('description') : '');
  if (action === 'update' && did === undefined && changes.length === 0 && body === '') return undefined;
  return {
    topic,
    content: paragraphs(
      noted(md`The ${name}${of} ${did ?? lookUp(DONE, action) ?? asWords(action)}`, action === 'delete' ? '' : body),
      action === 'create' ? newOf(it, things) : undefined,
      bullets(changes),
    ),
  };
}

export const clubhouse = integration({
  name: 'clubhouse',
  title: 'Shortcut (Clubhouse)',
  category: 'Projects',
  setUp: 'In Shortcut open Settings, Integrations, Webhooks, and paste the address as Payload URL.',
  read: (at) => {
    const things = known(at);
    const all = at('actions').list;
    const first = all.find((one) => one.at('id').text === at('primary_id').text);
    const stories = all.filter((one) => one.at('entity_type').text === 'story');
    if (first && FROM_CODE.has(first.at('entity_type').text) && stories.length > 0)
      return stories.map((story) => fromCode(first, story, things));
    // If several stories change at once, each gets a message.
    const told = first ? [first] : stories.length > 0 ? stories : [at('actions.0')];
    return told.flatMap((one) => toThing(at, one, things) ?? []);
  },
  samples: [
    { of: 'A story is created', json: call(actions('create')) },
    {
      of: 'A story gets a label, and loses another',
      json: call(actions('update', { label_ids: { adds: [18], removes: [19] } }), {
        references: [
          { id: 18, entity_type: 'label', name: 'leak' },
          { id: 19, entity_type: 'label', name: 'later' },
        ],
      }),
    },
    {
      of: 'A story gets a task',
      json: call(
        [
          { id: 14, entity_type: 'story-task', action: 'create', description: 'Buy tar', complete: false },
          ...actions('update', { task_ids: { adds: [14] } }),
        ],
        { primary_id: 14, references: undefined },
      ),
    },
    {
      of: 'A task is done',
      json: call(
        [
          {
            id: 14,
            entity_type: 'story-task',
            action: 'update',
            description: 'Buy tar',
            story_id: 1,
            changes: { complete: { new: true, old: false } },
          },
        ],
        {
          primary_id: 14,
          references: [
            {
              id: 1,
              entity_type: 'story',
              name: 'Tar the keel',
              story_type: 'feature',
              app_url: 'https://app.shortcut.example/ferry/story/1',
            },
          ],
        },
      ),
    },
    {
      of: 'A pull request is made for two stories',
      json: call(
        [
          {
            id: 500000029,
            entity_type: 'pull-request',
            action: 'create',
            number: 12,
            title: 'Row faster',
            url: 'https://github.com/ferry/boats/pull/12',
          },
          ...actions('update', {
            pull_request_ids: { adds: [500000029] },
            started: { new: true, old: false },
            workflow_state_id: { new: 501, old: 500 },
          }),
          {
            id: 2,
            entity_type: 'story',
            action: 'update',
            name: 'Caulk the seams',
            app_url: 'https://app.shortcut.example/ferry/story/2',
            changes: { pull_request_ids: { adds: [500000029] } },
          },
        ],
        { primary_id: 500000029 },
      ),
    },
    {
      of: 'A branch is made for no story',
      json: call(
        [
          {
            id: 500000030,
            entity_type: 'branch',
            action: 'create',
            name: 'oars',
            url: 'https://gitlab.com/ferry/boats/tree/oars',
          },
        ],
        { primary_id: 500000030, references: undefined },
      ),
    },
    {
      of: 'Two stories go on at once',
      json: call(
        [
          ...actions('update', { workflow_state_id: { old: 500, new: 501 } }),
          {
            id: 2,
            entity_type: 'story',
            action: 'update',
            name: 'Caulk the seams',
            app_url: 'https://app.shortcut.example/ferry/story/2',
            changes: { workflow_state_id: { old: 500, new: 501 } },
          },
        ],
        { primary_id: undefined },
      ),
    },
    {
      of: 'An epic is commented on',
      json: call(
        [
          { id: 21, entity_type: 'epic-comment', action: 'create', text: 'Which wood?', author_id: 'm1' },
          {
            id: 20,
            entity_type: 'epic',
            action: 'update',
            name: 'Spring repairs',
            changes: { comment_ids: { adds: [21] } },
          },
        ],
        { primary_id: 21, references: undefined },
      ),
    },
    { of: 'A story is archived', json: call(actions('update', { archived: { new: true, old: false } })) },
    { of: 'A story goes on', json: call(actions('update', { workflow_state_id: { old: 500, new: 501 } })) },
    {
      of: 'A story is commented on',
      json: call(
        [
          {
            id: 2,
            entity_type: 'story-comment',
            action: 'create',
            text: 'Tar helps.',
            app_url: 'https://app.shortcut.example/ferry/story/1#activity-2',
          },
          ...actions('update'),
        ],
        { primary_id: 2 },
      ),
    },
  ],
});
