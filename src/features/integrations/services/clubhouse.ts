import { type Field, firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bullets, link, md, paragraphs } from '../markdown.ts';
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

export const clubhouse = integration({
  name: 'clubhouse',
  title: 'Shortcut (Clubhouse)',
  category: 'Projects',
  setUp: 'In Shortcut open Settings, Integrations, Webhooks, and paste the address as Payload URL.',
  read: (at) => {
    const names = new Map(at('references').list.map((one) => [one.at('id').text, one.at('name').text]));
    const primary = at('actions').list.find((one) => one.at('id').text === at('primary_id').text) ?? at('actions.0');
    const parent = at('actions').list.find((one) => one.at('name').exists) ?? primary;
    const topic = firstOf(parent.at('name'), primary.at('description'), 'Shortcut');
    const kind = asWords(primary.at('entity_type').need);
    const what = link(
      firstOf(primary.at('name'), primary.at('description'), topic),
      firstOf(primary.at('app_url'), parent.at('app_url')),
    );
    const value = (field: Field) => firstOf(names.get(field.text) ?? '', field, field.at('text'));
    const changes = primary
      .at('changes')
      .members.filter(([name]) => !/position|_at$|changed/.test(name))
      .map(
        ([name, one]) =>
          md`${asWords(name.replace(/_ids?$/, ''))}: ${one.at('old').exists ? md`${value(one.at('old'))} → ` : undefined}${value(one.at('new')) || `${one.at('adds').count} added, ${one.at('removes').count} removed`}`,
      );
    const did =
      { create: 'was created', update: 'was changed', delete: 'was deleted' }[primary.at('action').need] ??
      primary.at('action').text;
    if (primary.at('action').text === 'update' && changes.length === 0) return undefined;
    return { topic, content: paragraphs(noted(md`The ${kind} ${what} ${did}`, primary.at('text')), bullets(changes)) };
  },
  samples: [
    { of: 'A story is created', json: call(actions('create')) },
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
