import { type At, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS, type Said } from '../integration.ts';
import { lines, link, type Markdown, md } from '../markdown.ts';
import { sha256 } from '../signature.ts';
import { built, capital, isBranchWanted } from '../words/index.ts';

const job = { name: 'test', status: 'success', number: 6 };
const pipeline = {
  number: 130,
  vcs: {
    provider_name: 'github',
    origin_repository_url: 'https://github.com/ferry/boats',
    target_repository_url: 'https://github.com/ferry/boats',
    branch: 'main',
    revision: '1bb2a3c4d5e6',
    commit: { subject: 'Caulk the seams', author: { name: 'Mia Member' } },
  },
};
/** For a tag, the payload has only the commit's hash. */
const tagged = {
  number: 131,
  vcs: {
    ...pipeline.vcs,
    branch: null,
    tag: 'v1.2',
    commit: { subject: null, body: null, author: { name: null, email: null } },
  },
};
const fromGitlab = {
  number: 3,
  trigger: { type: 'gitlab' },
  trigger_parameters: {
    gitlab: {
      type: 'push',
      web_url: 'https://gitlab.com/ferry/boats',
      user_name: 'Mia Member',
      user_username: 'mia',
      commit_author_name: 'Max Member',
      commit_title: 'Caulk the seams',
      commit_message: 'Caulk the seams',
      commit_sha: '1bb2a3c4d5e6f708192a3b4c5d6e7f8091a2b3c4',
      branch: 'main',
      tag: '',
      repo_name: 'boats',
    },
    circleci: { event_type: 'push', trigger_type: 'gitlab' },
    git: {
      tag: '',
      branch: 'main',
      ref: 'refs/heads/main',
      checkout_sha: '1bb2a3c4d5e6f708192a3b4c5d6e7f8091a2b3c4',
      checkout_url: 'git@gitlab.com:ferry/boats.git',
    },
  },
};
const project = { name: 'boats', slug: 'github/ferry/boats' };
const workflow = {
  name: 'build',
  status: 'failed',
  url: 'https://app.circleci.example/pipelines/github/ferry/boats/130',
};

/** What was built. GitHub and Bitbucket have it under `vcs`, GitLab under the trigger parameters. */
interface Source {
  readonly sha: string;
  readonly url: string;
  readonly subject: string;
  readonly author: string;
  readonly branch: string;
  readonly tag: string;
}

function sourceOf(at: At): Source {
  const [vcs, git, gitlab] = [
    at('pipeline.vcs'),
    at('pipeline.trigger_parameters.git'),
    at('pipeline.trigger_parameters.gitlab'),
  ];
  const sha = firstOf(vcs.at('revision'), git.at('checkout_sha'), gitlab.at('commit_sha'));
  const home = firstOf(vcs.at('target_repository_url'), vcs.at('origin_repository_url'), gitlab.at('web_url'));
  const path = vcs.exists ? (vcs.at('provider_name').text === 'bitbucket' ? 'commits' : 'commit') : '-/commit';
  return {
    sha,
    url: home === '' ? '' : `${home}/${path}/${sha}`,
    subject: firstOf(vcs.at('commit.subject'), gitlab.at('commit_title')),
    author: firstOf(vcs.at('commit.author.name'), gitlab.at('commit_author_name'), gitlab.at('user_name')),
    branch: firstOf(vcs.at('branch'), git.at('branch'), gitlab.at('branch')),
    tag: firstOf(vcs.at('tag'), git.at('tag'), gitlab.at('tag')),
  };
}

/** The commit as far as it is known; builds of tags and manual builds have only its hash. */
function said({ sha, url, subject, author, branch, tag }: Source): Markdown | undefined {
  if (sha === '') return undefined;
  const words = [
    md`Commit ${link(sha.slice(0, 7), url)}`,
    subject === '' ? undefined : md`${subject}`,
    author === '' ? undefined : md`by ${author}`,
    branch === '' ? (tag === '' ? undefined : md`on the tag ${tag}`) : md`on ${branch}`,
  ];
  return md`${lines(words, ' ')}.`;
}

/** The payload of old servers, whose configuration names the address under `notify`. */
function older(at: At, branches: string): Said | undefined {
  const it = at('payload');
  const branch = it.at('branch').text;
  if (!isBranchWanted(branches, firstOf(branch, it.at('vcs_tag')))) return undefined;
  const [sha, home] = [it.at('vcs_revision').text, it.at('vcs_url').text];
  const path = it.at('vcs_type').text === 'bitbucket' ? 'commits' : 'commit';
  const number = it.at('build_num').text;
  return {
    event: 'job-completed',
    topic: it.at('reponame').need,
    content: built({
      what: `Build${number === '' ? '' : ` #${number}`}${branch === '' ? '' : ` of ${branch}`}`,
      url: it.at('build_url'),
      state: it.at('status').need,
      rest: lines(
        [
          md`Triggered by ${firstOf(it.at('user.name'), it.at('username'), 'somebody')}.`,
          said({
            sha,
            url: home === '' ? '' : `${home}/${path}/${sha}`,
            subject: it.at('subject').text,
            author: it.at('author_name').text,
            branch: '',
            tag: it.at('vcs_tag').text,
          }),
        ],
        ' ',
      ),
    }),
  };
}

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
    if (at('payload.build_url').exists) return older(at, option('branches'));
    const event = at('type').need;
    if (event === 'ping') return { event, topic: 'Test event', content: md`CircleCI is connected.` };
    if (event !== 'job-completed' && event !== 'workflow-completed') throw new UnsupportedEvent(event);
    const source = sourceOf(at);
    const branch = firstOf(source.branch, source.tag);
    if (!isBranchWanted(option('branches'), branch)) return undefined;
    const kind = event === 'job-completed' ? 'job' : 'workflow';
    const number = firstOf(at(`${kind}.number`), at('pipeline.number'));
    return {
      event,
      topic: at('project.name').need,
      content: built({
        what: `${capital(kind)} ${at(`${kind}.name`).need}${number === '' ? '' : ` #${number}`}`,
        url: at('workflow.url'),
        state: at(`${kind}.status`).need,
        rest: said(source),
      }),
    };
  },
  samples: [
    { of: 'A workflow fails', json: { type: 'workflow-completed', project, workflow, pipeline } },
    { of: 'A job succeeds', json: { type: 'job-completed', project, workflow, pipeline, job } },
    {
      of: 'A workflow of a tag ends',
      json: { type: 'workflow-completed', project, workflow: { ...workflow, status: 'success' }, pipeline: tagged },
    },
    {
      of: 'A workflow of a project of GitLab ends',
      json: { type: 'workflow-completed', project, workflow: { ...workflow, status: 'success' }, pipeline: fromGitlab },
    },
    {
      of: 'A build of an older server fails',
      json: {
        payload: {
          reponame: 'boats',
          username: 'ferry',
          user: { name: 'Mia Member', login: 'mia' },
          branch: 'oars',
          vcs_tag: null,
          vcs_type: 'github',
          vcs_url: 'https://github.com/ferry/boats',
          vcs_revision: '1bb2a3c4d5e6f708192a3b4c5d6e7f8091a2b3c4',
          subject: 'Caulk the seams',
          author_name: 'Max Member',
          build_num: 5,
          build_url: 'https://circleci.example/gh/ferry/boats/5',
          status: 'failed',
          outcome: 'failed',
        },
      },
    },
    { of: 'The webhook is tried', json: { type: 'ping' } },
  ],
});
