import { lookUp } from '#kernel/lists';
import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { asWords, noted, textOfHtml } from '../words/index.ts';

const call = (kind: string, type: string, more: object = {}) => ({
  id: 657034435,
  kind,
  details: {},
  created_at: '2026-11-20T10:00:00.412+01:00',
  creator: { name: 'Mia Member' },
  recording: {
    type,
    title: 'Tar the keel',
    app_url: 'https://3.basecamp.example/1/recordings/1',
    content: '<div>Tar <b>helps</b>.</div>',
    bucket: { name: 'Boats', type: 'Project' },
    parent: { title: 'Repairs', app_url: 'https://3.basecamp.example/1/todolists/1' },
  },
  ...more,
});

/** Verbs by the ending of the event's kind. */
const DONE: readonly (readonly [ending: string, did: string])[] = [
  ['assignment_changed', 'changed who is assigned to'],
  ['due_on_changed', 'changed the due date of'],
  ['starts_on_changed', 'changed the first day of'],
  ['subscribers_changed', 'changed who is told of'],
  ['content_changed', 'changed'],
  ['subject_changed', 'changed the title of'],
  ['title_changed', 'changed the title of'],
  ['name_changed', 'renamed'],
  ['description_changed', 'changed the description of'],
  ['created', 'created'],
  ['active', 'published'],
  ['publicized', 'publicized'],
  ['uncompleted', 'reopened'],
  ['completed', 'completed'],
  ['unarchived', 'unarchived'],
  ['archived', 'archived'],
  ['untrashed', 'restored'],
  ['trashed', 'deleted'],
  ['copied', 'copied'],
  ['moved', 'moved'],
];
/** Readable names of Basecamp's types. */
const KINDS: Readonly<Record<string, string>> = { Todo: 'to-do', Todolist: 'to-do list', 'Question::Answer': 'answer' };

export const basecamp = integration({
  name: 'basecamp',
  title: 'Basecamp',
  category: 'Projects',
  setUp:
    'In the project open Set up webhooks, Add a webhook. Paste the address as Payload URL and choose the types of content.',
  read: (at) => {
    const kind = at('kind').need;
    const it = at('recording');
    const did = DONE.find(([ending]) => kind.endsWith(ending))?.[1] ?? 'changed';
    const type = it.at('type').text;
    const what = lookUp(KINDS, type) ?? asWords(type.replace(/::/g, ' '));
    const due = firstOf(it.at('due_on'), at('details.due_on'));
    const isWritten = /_(?:created|active|content_changed|description_changed)$/.test(kind) && type !== 'Todo';
    const sentence = md`${at('creator.name').text || 'Somebody'} ${did} the ${what} ${link(it.at('title').need, it.at('app_url'))}${it.at('parent.title').exists ? md` in ${link(it.at('parent.title').text, it.at('parent.app_url'))}` : undefined}${due === '' ? undefined : md` (due on ${due})`}`;
    return {
      topic: it.at('bucket.name').need,
      content: noted(sentence, isWritten ? textOfHtml(it.at('content').text) : ''),
    };
  },
  samples: [
    { of: 'A to-do is created', json: call('todo_created', 'Todo') },
    { of: 'A to-do is completed', json: call('todo_completed', 'Todo') },
    { of: 'The due date of a to-do changes', json: call('todo_due_on_changed', 'Todo') },
    {
      of: 'Somebody is assigned to a to-do',
      json: call('todo_assignment_changed', 'Todo', { details: { added_person_ids: [1], removed_person_ids: [] } }),
    },
    { of: 'A to-do list is renamed', json: call('todolist_name_changed', 'Todolist') },
    { of: 'A question is answered', json: call('question_answer_created', 'Question::Answer') },
    { of: 'A document is published', json: call('document_active', 'Document') },
    { of: 'A comment is made', json: call('comment_created', 'Comment') },
  ],
});
