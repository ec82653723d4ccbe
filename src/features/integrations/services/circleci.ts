import { firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS } from '../integration.ts';
import { code, md } from '../markdown.ts';
import { sha256 } from '../signature.ts';
import { built, capital, isBranchWanted } from '../words/index.ts';

const job = { name: 'test', status: 'success' };
const pipeline = {
  number: 130,
  vcs: {
    branch: 'main',
    revision: '1bb2a3c4d5e6',
    commit: { subject: 'Caulk the seams', author: { name: 'Mia Member' } },
  },
};
const project = { name: 'boats', slug: 'github/ferry/boats' };
const workflow = {
  name: 'build',
  status: 'failed',
  url: 'https://app.circleci.example/pipelines/github/ferry/boats/130',
};

export const circleci = integration({
  name: 'circleci',
  title: 'CircleCI',
  category: 'Builds and deployments',
  setUp:
    'In the project open Project Settings, Webhooks, Add Webhook. Paste the address as Receiver URL and choose the events.',
  events: ['job-completed', 'workflow-completed', 'ping'],
  options: [OPTIONS.branches, OPTIONS.secret],
  signature: sha256('circleci-signature', 'v1='),
  read: (at, { option }) => {
    const event = at('type').need;
    if (event === 'ping') return { event, topic: 'CircleCI', content: md`CircleCI is connected.` };
    if (event !== 'job-completed' && event !== 'workflow-completed') throw new UnsupportedEvent(event);
    const vcs = at('pipeline.vcs');
    const branch = firstOf(vcs.at('branch'), vcs.at('tag'));
    if (!isBranchWanted(option('branches'), branch)) return undefined;
    const kind = event === 'job-completed' ? 'job' : 'workflow';
    const rest = md`Commit ${code(vcs.at('revision').text.slice(0, 7))} ${vcs.at('commit.subject').text}${branch === '' ? undefined : md` on ${branch}`}.`;
    return {
      event,
      topic: at('project.name').need,
      content: built({
        what: `${capital(kind)} ${at(`${kind}.name`).need} #${at('pipeline.number').text}`,
        url: at('workflow.url'),
        state: at(`${kind}.status`).need,
        rest,
      }),
    };
  },
  samples: [
    { of: 'A workflow fails', json: { type: 'workflow-completed', project, workflow, pipeline } },
    { of: 'A job succeeds', json: { type: 'job-completed', project, workflow, pipeline, job } },
    { of: 'The webhook is tried', json: { type: 'ping' } },
  ],
});
