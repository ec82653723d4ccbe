import { type At, firstOf, oneOf } from '../field.ts';
import { integration } from '../integration.ts';
import { link, type Markdown, md } from '../markdown.ts';
import { built } from '../words/index.ts';

const build = (status: string) => ({
  build: {
    build_url: 'https://www.codeship.example/projects/10/builds/7',
    commit_id: '96943dc5269634c211b6fb',
    commit_url: 'https://github.com/ferry/boats/commit/96943dc5269634c211b6fb',
    short_commit_id: '96943',
    message: 'Caulk the seams',
    status,
    project_full_name: 'ferry/boats',
    project_name: 'boats',
    build_id: 7,
    branch: 'main',
    committer: 'mia',
  },
});

function commitOf(at: At): Markdown | undefined {
  const name = firstOf(at('build.commit_id').text.slice(0, 7), at('build.short_commit_id'));
  return name === '' ? undefined : md` (${link(name, at('build.commit_url'))})`;
}

export const codeship = integration({
  name: 'codeship',
  title: 'Codeship',
  category: 'Builds and deployments',
  setUp: 'In the project open Project Settings, Notifications, and add the address as a webhook.',
  read: (at) => ({
    topic: oneOf(at('build.project_name'), at('build.project_full_name')),
    content: built({
      what: `Build ${at('build.build_id').text} of ${at('build.branch').need}`,
      url: at('build.build_url'),
      state: at('build.status').need,
      rest: md`Triggered by ${at('build.committer').text || 'somebody'}: ${at('build.message').text}${commitOf(at)}.`,
    }),
  }),
  samples: ['testing', 'success', 'error'].map((status) => ({ of: `A build: ${status}`, json: build(status) })),
});
