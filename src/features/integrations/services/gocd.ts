import { type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, type Said } from '../integration.ts';
import { bullets, facts, link, type Markdown, md, paragraphs } from '../markdown.ts';
import { built, capital, links, withoutAddress } from '../words/index.ts';

const material = {
  material: { type: 'git', 'git-configuration': { url: 'https://github.com/ferry/boats', branch: 'main' } },
  modifications: [{ revision: '59f3c6e4540f', data: {} }],
};
const stage = (result: string, state = result) => ({
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
        state,
        result,
        'approval-type': 'success',
        'approved-by': 'changes',
        'create-time': 'Nov 20, 2026, 10:00:00 AM',
        jobs: [
          { name: 'unit', state: 'Completed', result },
          { name: 'e2e', result: 'Passed' },
        ],
      },
    },
  },
});

/** The result of a stage, or its state while it runs. */
function stateOf(it: Field): string {
  return firstOf(it.at('result').text.replace(/^Unknown$/, ''), it.at('state'), 'unknown');
}

/** Who started a stage; `changes` means a commit. */
function startedBy(who: string): Markdown | undefined {
  if (who === '') return undefined;
  return who === 'changes' ? md`Started by a commit.` : md`Started by ${who}.`;
}

function jobsOf(jobs: Field): Markdown {
  return bullets(
    jobs.list.map((job) => md`${job.at('name')}: ${stateOf(job).toLowerCase()}`),
    jobs.count,
  );
}

/** Describes the source that was built, the first if there are several. */
function builtFrom(cause: Field): Markdown {
  const git = cause.at('material.git-configuration');
  const source = git.exists ? git : (cause.at('material').members.find(([, one]) => one.at('url').exists)?.[1] ?? git);
  return facts({
    Repository: link(source.at('url').text, source.at('url')),
    Branch: source.at('branch'),
    Commit: cause.at('modifications.0.revision').text.slice(0, SHORT),
  });
}

/** Digits of a commit's hash that are shown. */
const SHORT = 7;

/** A pipeline in the format of the server's history API. */
function pipeline(it: Field): Said {
  const stages = it.at('stages').list;
  const failed = stages.find((one) => !/^(?:Passed|Unknown)$/.test(one.at('result').text));
  const cause = it.at('build_cause.material_revisions.0');
  const commit = cause.at('modifications.0');
  const [, url = '', branch = ''] =
    /^URL: (\S+?)(?:, Branch: (.*))?$/.exec(cause.at('material.description').text) ?? [];
  return {
    topic: it.at('name').need,
    content: paragraphs(
      built({
        what: `${it.at('name').need}/${it.at('counter').text} ${it.at('label').text}`.trim(),
        url: '',
        state: stateOf(failed ?? it.at('stages.0')),
        rest: md`${capital(it.at('build_cause.trigger_message').text)}`,
      }),
      facts({
        Repository: link(url, url),
        Branch: branch,
        Commit: `${commit.at('comment').text} (${commit.at('revision').text.slice(0, SHORT)})`.replace(/^ ?\(\)$/, ''),
        By: withoutAddress(commit.at('user_name').text),
      }),
      bullets(
        stages.flatMap((stage) =>
          stage
            .at('jobs')
            .list.map((job) => md`${stage.at('name').text} ${job.at('name')}: ${stateOf(job).toLowerCase()}`),
        ),
      ),
    ),
  };
}

/** A job's address, which comes without a result. */
function details(it: Field): Said {
  const words = `${it.at('pipeline_name').need} ${it.at('stage_name').text} ${it.at('job_name').text}`.trim();
  return {
    topic: it.at('pipeline_name').need,
    content: paragraphs(
      md`A build: ${link(words, firstOf(it.at('_links.job.href'), it.at('_links.stage.href')))}.`,
      links({ stage: it.at('_links.stage.href'), pipeline: it.at('_links.pipeline.href') }),
    ),
  };
}

export const gocd = integration({
  name: 'gocd',
  title: 'GoCD',
  category: 'Builds and deployments',
  setUp: 'Install the WebHook Notifier plugin, and paste the address as its stage endpoint under Admin, Plugins.',
  read: (at) => {
    if (at('build_details').exists) return details(at('build_details'));
    if (at('stages').exists) return pipeline(at(''));
    if (at('type').need !== 'stage') throw new UnsupportedEvent(at('type').need);
    const it = at('data.pipeline');
    return {
      topic: `${it.at('name').need} / ${it.at('stage.name').need}`,
      content: paragraphs(
        built({
          what: `${it.at('name').need}/${it.at('counter').text} ${it.at('stage.name').need}`,
          url: '',
          state: stateOf(it.at('stage')),
          rest: startedBy(it.at('stage.approved-by').text),
        }),
        ...it.at('build-cause').list.map(builtFrom),
        jobsOf(it.at('stage.jobs')),
      ),
    };
  },
  samples: [
    { of: 'A stage passes', json: stage('Passed') },
    { of: 'A stage fails', json: stage('Failed') },
    { of: 'A stage is cancelled', json: stage('Cancelled') },
    { of: 'A stage begins', json: stage('Unknown', 'Building') },
    {
      of: 'A pipeline as its history tells it',
      json: {
        name: 'boats',
        counter: 1,
        label: '14.1',
        build_cause: {
          approver: '',
          trigger_forced: false,
          trigger_message: 'modified by Mia Member <mia@ferry.example>',
          material_revisions: [
            {
              changed: true,
              material: { type: 'Git', description: 'URL: https://github.com/ferry/boats, Branch: main' },
              modifications: [
                {
                  user_name: 'Mia Member <mia@ferry.example>',
                  comment: 'Caulk the seams',
                  revision: 'a788f1876e2e1f6e5a1e91006e75cd1d467a0edb',
                },
              ],
            },
          ],
        },
        stages: [{ name: 'tests', result: 'Failed', counter: '1', jobs: [{ name: 'unit', result: 'Failed' }] }],
      },
    },
    {
      of: 'Where a build is read',
      json: {
        build_details: {
          pipeline_name: 'boats',
          stage_name: 'tests',
          job_name: 'unit',
          _links: {
            job: { href: 'https://ci.ferry.example/go/tab/build/detail/boats/1/tests/1/unit' },
            stage: { href: 'https://ci.ferry.example/go/pipelines/boats/1/tests/1' },
            pipeline: { href: 'https://ci.ferry.example/go/tab/pipeline/history/boats' },
          },
        },
      },
    },
  ],
});
