import { lookUp } from '#kernel/lists';
import { type At, type Field, firstOf } from '../field.ts';
import { type Call, type Integration, OPTIONS, type Said, type Sample } from '../integration.ts';
import { link, type Markdown, md } from '../markdown.ts';
import { UnsupportedEvent } from '../faults.ts';
import { built } from './alerts.ts';
import { asWords, branchOf, type Happening, happened, isBranchWanted, noted, person, pushed } from './code.ts';

const home = 'https://git.ferry.example/ferry/boats';
const repository = { name: 'boats', full_name: 'ferry/boats', html_url: home };
const sender = { login: 'mia', full_name: 'Mia Member' };
const commits = [
  {
    id: '1bb2a3c4d5e6f708',
    message: 'Caulk the seams\n',
    url: `${home}/commit/1bb2a3c`,
    author: { name: 'Mia Member', username: 'mia' },
  },
];
const pull_request = {
  number: 12,
  title: 'Row faster',
  body: 'Four oars.',
  html_url: `${home}/pulls/12`,
  head: { ref: 'oars' },
  base: { ref: 'main' },
};
const issue = { number: 7, title: 'The keel leaks', body: 'Below the bench.', html_url: `${home}/issues/7` };

const SAMPLES: readonly (readonly [of: string, event: string, json: object])[] = [
  [
    'Commits are pushed',
    'push',
    { ref: 'refs/heads/main', compare_url: `${home}/compare/1bb...2cc`, commits, pusher: sender },
  ],
  ['A branch is created', 'create', { ref: 'oars', ref_type: 'branch' }],
  ['A tag is created', 'create', { ref: 'v1.2', ref_type: 'tag' }],
  ['A branch is deleted', 'delete', { ref: 'oars', ref_type: 'branch' }],
  ['A pull request is opened', 'pull_request', { action: 'opened', pull_request }],
  ['A pull request is merged', 'pull_request', { action: 'closed', pull_request: { ...pull_request, merged: true } }],
  [
    'A pull request is approved',
    'pull_request_approved',
    { action: 'reviewed', pull_request, review: { content: 'Smooth.' } },
  ],
  ['An issue is opened', 'issues', { action: 'opened', issue }],
  [
    'An issue is assigned, by a server that tells no address',
    'issues',
    {
      action: 'assigned',
      issue: { ...issue, html_url: undefined, assignee: { login: 'max', full_name: 'Max Member' } },
    },
  ],
  ['An issue gets another title', 'issues', { action: 'edited', issue, changes: { title: { from: 'The keel' } } }],
  [
    'An issue is commented on',
    'issue_comment',
    { action: 'created', issue, comment: { body: 'Tar helps.', html_url: `${home}/issues/7#issuecomment-1` } },
  ],
  [
    'A release is published',
    'release',
    {
      action: 'published',
      release: { tag_name: 'v1.2', name: 'Spring tide', body: 'Faster oars.', html_url: `${home}/releases/tag/v1.2` },
    },
  ],
  [
    'A repository is forked',
    'fork',
    { forkee: repository, repository: { ...repository, full_name: 'mia/boats', name: 'boats' } },
  ],
];

/** Samples of events that Gitea and Forgejo send, and Gogs does not. */
const MORE_SAMPLES: readonly (readonly [of: string, event: string, json: object])[] = [
  [
    'Changes are asked for',
    'pull_request_rejected',
    { action: 'reviewed', pull_request, review: { type: 'pull_request_review_rejected', content: 'Two oars.' } },
  ],
  [
    'A pull request is reviewed',
    'pull_request_comment',
    { action: 'reviewed', pull_request, review: { type: 'pull_request_review_comment', content: 'Why four?' } },
  ],
  [
    'A pull request is commented on',
    'pull_request_comment',
    {
      action: 'created',
      issue: { ...issue, number: 12, title: 'Row faster', html_url: `${home}/pulls/12` },
      pull_request,
      comment: { body: 'Tar helps.', html_url: `${home}/pulls/12#issuecomment-2` },
      is_pull: true,
    },
  ],
  [
    'A review is asked for',
    'pull_request',
    { action: 'review_requested', pull_request, requested_reviewer: { login: 'max', full_name: 'Max Member' } },
  ],
  ['A wiki page is written', 'wiki', { action: 'created', page: 'Knots', comment: 'The first ones.' }],
  ['A repository is created', 'repository', { action: 'created', organization: { login: 'ferry' } }],
  [
    'A package is published',
    'package',
    {
      action: 'created',
      package: { id: 3, name: 'oars', version: '1.2.0', type: 'npm', html_url: `${home}/packages/3` },
    },
  ],
  [
    'A status is set',
    'status',
    {
      commit: commits[0],
      context: 'ci/harbour',
      description: 'All boats float.',
      sha: '1bb2a3c4d5e6f708',
      state: 'success',
      target_url: 'https://ci.ferry.example/4',
    },
  ],
  [
    'A workflow ends',
    'workflow_run',
    {
      action: 'completed',
      workflow: { id: 'tests.yml', name: 'Tests' },
      workflow_run: {
        run_number: 88,
        head_branch: 'main',
        status: 'completed',
        conclusion: 'failure',
        html_url: `${home}/actions/runs/88`,
        actor: sender,
      },
    },
  ],
];

const who = (at: At) =>
  firstOf(at('sender.full_name'), person(at('sender')), at('pusher.full_name'), person(at('pusher')));

function thing(at: At, it: Field, news: Omit<Happening, 'who' | 'number' | 'title' | 'url'>): Said {
  const { kind } = news;
  const [number, title] = [it.at('number').need, it.at('title').text];
  // Old servers send only the issue's API address, or none.
  const home = at('repository.html_url').text;
  const url = firstOf(it.at('html_url'), home === '' ? '' : `${home}/${kind === 'PR' ? 'pulls' : 'issues'}/${number}`);
  return {
    topic: `${at('repository.name').need} / ${kind} #${number} ${title}`,
    content: happened({ ...news, who: who(at), number: `#${number}`, title, url }),
  };
}

/** Verbs for actions whose own name does not fit into a sentence. */
const DONE: Readonly<Record<string, string>> = {
  synchronized: 'updated',
  label_updated: 'changed the labels of',
  label_cleared: 'took all labels from',
  milestoned: 'put into a milestone',
  demilestoned: 'took from its milestone',
  review_requested: 'asked for a review of',
  review_request_removed: 'withdrew a request to review',
};

/** Details of a change. */
function detail(at: At, it: Field): Markdown | undefined {
  const names = (path: string) => it.at(path).list.map((one) => firstOf(one.at('name'), person(one)));
  const title = at('changes.title.from').text;
  const about: Readonly<Record<string, string>> = {
    edited: title === '' ? '' : `the title was “${title}”`,
    assigned: `to ${names('assignees').join(', ') || person(it.at('assignee'))}`.replace(/^to $/, ''),
    label_updated: names('labels').join(', '),
    milestoned: it.at('milestone.title').text,
    review_requested: person(at('requested_reviewer')),
    review_request_removed: person(at('requested_reviewer')),
  };
  const action = at('action').text;
  const said = lookUp(about, action);
  return said === undefined || said === '' ? undefined : md`(${said})`;
}

function pullRequest(at: At): Said {
  const it = at('pull_request');
  const action = at('action').need;
  const merged = it.at('merged').isTrue ? 'merged' : 'closed without merging';
  const did = action === 'closed' ? merged : (lookUp(DONE, action) ?? asWords(action));
  const isNew = action === 'opened';
  const branches = isNew && {
    from: firstOf(it.at('head.ref'), it.at('head_branch')),
    to: firstOf(it.at('base.ref'), it.at('base_branch')),
  };
  const body = isNew || at('changes.body').exists ? it.at('body').text : '';
  return thing(at, it, { kind: 'PR', did, body, ...branches, rest: detail(at, it) });
}

/** Describes a comment on an issue or a pull request. */
function comment(at: At, isPull: boolean): Said {
  const action = at('action').need;
  const it = at('issue').exists ? at('issue') : at('pull_request');
  const did = md`${link(action === 'created' ? 'commented' : `${action} a comment`, at('comment.html_url'))} on`;
  const body = action === 'deleted' ? '' : at('comment.body').text;
  return thing(at, it, { kind: isPull ? 'PR' : 'issue', did, body });
}

const REVIEWS: Readonly<Record<string, string>> = {
  pull_request_approved: 'approved',
  pull_request_rejected: 'asked for changes in',
  pull_request_comment: 'reviewed',
};

function read(at: At, event: string, { option }: Call, isGogs: boolean): Said | undefined {
  if (event === 'package') return packaged(at);
  // It accompanies a workflow run and repeats what its message says.
  if (event === 'workflow_job') return undefined;
  const topic = at('repository.name').need;
  switch (event) {
    case 'push': {
      const branch = branchOf(at('ref'));
      if (at('ref').text.startsWith('refs/tags/')) return { topic, content: md`${who(at)} pushed the tag ${branch}.` };
      if (!isBranchWanted(option('branches'), branch)) return undefined;
      const all = at('commits').list.map((commit) => ({
        sha: commit.at('id').text,
        url: commit.at('url').text,
        message: commit.at('message').text,
        author: firstOf(commit.at('author.name'), commit.at('author.username')),
      }));
      const count = Math.max(all.length, at('total_commits').number ?? 0);
      return {
        topic: `${topic} / ${branch}`,
        content: pushed({ who: who(at), branch, url: at('compare_url').text, commits: all, count }),
      };
    }
    case 'create':
    case 'delete': {
      const [kind, ref] = [at('ref_type').text || 'branch', branchOf(at('ref'))];
      const shown =
        event === 'create'
          ? link(ref, `${at('repository.html_url').text}/src/${isGogs ? '' : `${kind}/`}${ref}`)
          : md`${ref}`;
      return { topic, content: md`${who(at)} ${event}d the ${kind} ${shown}.` };
    }
    case 'pull_request':
    case 'pull_request_sync':
      return pullRequest(at);
    case 'issues': {
      const [it, action] = [at('issue'), at('action').need];
      const body = action === 'opened' || at('changes.body').exists ? it.at('body').text : '';
      return thing(at, it, { kind: 'issue', did: lookUp(DONE, action) ?? asWords(action), body, rest: detail(at, it) });
    }
    case 'issue_comment':
      return comment(at, at('is_pull').isTrue || at('issue.pull_request').exists);
    case 'release': {
      const name = firstOf(at('release.name'), at('release.tag_name'));
      const url = firstOf(at('release.html_url'), `${at('repository.html_url').text}/releases`);
      const sentence = md`${who(at)} ${at('action')} the release ${link(name, url)}`;
      return {
        topic: `${topic} / ${at('release.tag_name').text} ${at('release.name').text}`,
        content: noted(sentence, at('release.body')),
      };
    }
    case 'fork':
      return { topic, content: md`${who(at)} forked ${at('forkee.full_name')} to ${at('repository.full_name')}.` };
    case 'wiki':
      return {
        topic,
        content: noted(
          md`${who(at)} ${at('action')} the wiki page ${link(at('page'), `${at('repository.html_url').text}/wiki/${encodeURIComponent(at('page').text)}`)}`,
          at('comment'),
        ),
      };
    case 'repository':
      return {
        topic,
        content: md`${who(at)} ${at('action')} the repository ${link(at('repository.full_name'), at('repository.html_url'))}.`,
      };
    case 'status':
      return {
        topic: `${topic} / ${at('sha').need.slice(0, 7)}`,
        content: built({
          what: `${firstOf(at('context'), 'Status')} of ${at('sha').need.slice(0, 7)}`,
          url: at('target_url'),
          state: at('state').need,
          rest: md`${at('description').text}`,
        }),
      };
    case 'workflow_run':
      return at('action').text === 'completed' ? run(at, topic) : undefined;
    default: {
      const did = lookUp(REVIEWS, event);
      if (did === undefined) throw new UnsupportedEvent(event);
      // A comment on a pull request has the same event name as a review.
      if (event === 'pull_request_comment' && at('comment').exists) return comment(at, true);
      return thing(at, at('pull_request'), { kind: 'PR', did, body: at('review.content').text });
    }
  }
}

function run(at: At, topic: string): Said {
  const it = at('workflow_run');
  return {
    topic: `${topic} / ${it.at('head_branch').text}`,
    content: built({
      what: `${firstOf(at('workflow.name'), it.at('name'), 'Workflow')} #${it.at('run_number').text}`,
      url: it.at('html_url'),
      state: firstOf(it.at('conclusion'), it.at('status'), 'completed'),
      rest: md`Started by ${firstOf(person(it.at('actor')), who(at))}.`,
    }),
  };
}

/** Describes a package, which has an owner, and a repository only if it is linked to one. */
function packaged(at: At): Said {
  const it = at('package');
  return {
    topic: firstOf(at('repository.name'), it.at('repository.name'), it.at('owner.login'), 'packages'),
    content: md`${who(at)} ${at('action')} the package ${link(`${it.at('name').need} ${it.at('version').text}`, it.at('html_url'))}.`,
  };
}

/** The common integration of Gitea, Forgejo and Gogs, which differ in the header that names the event. */
export function likeGitea(
  header: string,
  { isGogs = false } = {},
): Pick<Integration, 'events' | 'options' | 'read' | 'samples'> {
  const samples = isGogs
    ? SAMPLES.filter(([, event]) => !Object.hasOwn(REVIEWS, event))
    : [...SAMPLES, ...MORE_SAMPLES];
  return {
    events: [...new Set(samples.map(([, event]) => event))],
    options: [OPTIONS.branches, OPTIONS.secret],
    read: (at, call) => {
      const event = call.header(header);
      const said = read(at, event, call, isGogs);
      return said && { event, ...said };
    },
    samples: samples.map(
      ([of, event, json]): Sample => ({ of, headers: { [header]: event }, json: { repository, sender, ...json } }),
    ),
  };
}
