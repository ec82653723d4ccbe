import { firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration } from '../integration.ts';
import { bullets, facts, link, md, paragraphs } from '../markdown.ts';
import { built } from '../words/index.ts';

const material = {
  material: { type: 'git', 'git-configuration': { url: 'https://github.com/ferry/boats', branch: 'main' } },
  modifications: [{ revision: '59f3c6e4540f', data: {} }],
};
const stage = (result: string) => ({
  type: 'stage',
  data: {
    pipeline: {
      name: 'boats',
      counter: '3',
      group: 'ferry',
      'build-cause': [material],
      stage: {
        name: 'tests',
        counter: '1',
        state: result,
        result,
        'create-time': '2026-11-20T10:00:00Z',
        jobs: [
          { name: 'unit', result },
          { name: 'e2e', result: 'Passed' },
        ],
      },
    },
  },
});

export const gocd = integration({
  name: 'gocd',
  title: 'GoCD',
  category: 'Builds and deployments',
  setUp: 'Install the WebHook Notifier plugin, and paste the address as its stage endpoint under Admin, Plugins.',
  read: (at) => {
    if (at('type').need !== 'stage') throw new UnsupportedEvent(at('type').need);
    const it = at('data.pipeline');
    const jobs = it.at('stage.jobs').list.map((job) => md`${job.at('name')}: ${job.at('result').text}`);
    const source = it.at('build-cause.0.material.git-configuration');
    return {
      topic: `${it.at('group').text || 'GoCD'} / ${it.at('name').need}`,
      content: paragraphs(
        built({
          what: `${it.at('name').need}/${it.at('counter').text} ${it.at('stage.name').need}`,
          url: '',
          state: firstOf(it.at('stage.result'), it.at('stage.state')),
        }),
        facts({
          Repository: link(source.at('url').text, source.at('url')),
          Branch: source.at('branch'),
          Commit: it.at('build-cause.0.modifications.0.revision').text.slice(0, 7),
        }),
        bullets(jobs, it.at('stage.jobs').count),
      ),
    };
  },
  samples: [
    { of: 'A stage passes', json: stage('Passed') },
    { of: 'A stage fails', json: stage('Failed') },
    { of: 'A stage is cancelled', json: stage('Cancelled') },
  ],
});
