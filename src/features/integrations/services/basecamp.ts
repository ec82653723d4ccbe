import { integration } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { asWords, noted } from '../words/index.ts';

const call = (kind: string, type: string, more: object = {}) => ({
  kind,
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

export const basecamp = integration({
  name: 'basecamp',
  title: 'Basecamp',
  category: 'Projects',
  setUp:
    'In the project open Set up webhooks, Add a webhook. Paste the address as Payload URL and choose the types of content.',
  read: (at) => {
    const kind = at('kind').need;
    const verb = kind.includes('_') ? kind.slice(kind.lastIndexOf('_') + 1) : '';
    const it = at('recording');
    const did =
      {
        content: 'changed',
        completed: 'completed',
        uncompleted: 'reopened',
        archived: 'archived',
        unarchived: 'took out of the archive',
        trashed: 'deleted',
        untrashed: 'restored',
        changed: 'changed',
      }[verb] ??
      (verb || 'changed');
    const text = it.at('type').text === 'Comment' ? it.at('content').text.replaceAll(/<[^<>]*>/g, '') : '';
    return {
      topic: it.at('bucket.name').need,
      content: noted(
        md`${at('creator.name').text || 'Somebody'} ${did} the ${asWords(it.at('type').text.replace(/::/g, ' '))} ${link(it.at('title').need, it.at('app_url'))}${it.at('parent.title').exists ? md` in ${link(it.at('parent.title').text, it.at('parent.app_url'))}` : undefined}`,
        text,
      ),
    };
  },
  samples: [
    { of: 'A to-do is created', json: call('todo_created', 'Todo') },
    { of: 'A to-do is completed', json: call('todo_completed', 'Todo') },
    { of: 'A comment is made', json: call('comment_created', 'Comment') },
  ],
});
