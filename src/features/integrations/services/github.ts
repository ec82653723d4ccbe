import { type At, Field, firstOf } from '../field.ts';
import { type Call, integration, OPTIONS, type Said } from '../integration.ts';
import { bullets, link, type Markdown, md, paragraphs } from '../markdown.ts';
import { UnsupportedEvent } from '../faults.ts';
import { sha256 } from '../signature.ts';
import { built } from '../words/alerts.ts';
import { asWords, branchOf, happened, isBranchWanted, noted, person, pushed } from '../words/code.ts';
import { githubSamples } from './github.samples.ts';

const EVENTS = [
  'branch_protection_rule',
  'check_run',
  'commit_comment',
  'create',
  'delete',
  'deployment',
  'deployment_status',
  'discussion',
  'discussion_comment',
  'fork',
  'gollum',
  'issue_comment',
  'issues',
  'member',
  'membership',
  'milestone',
  'package',
  'page_build',
  'ping',
  'public',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
  'push',
  'release',
  'repository',
  'repository_vulnerability_alert',
  'sponsorship',
  'star',
  'status',
  'tag_push',
  'team',
  'team_add',
  'watch',
  'workflow_run',
];

/** What follows a push or a pull request by itself, and would say everything twice. */
const ECHOES = new Set(['check_suite', 'workflow_job', 'label', 'installation', 'installation_repositories', 'meta']);
/** What is done to pull requests and issues that nobody waits for. */
const QUIET = new Set(['enqueued', 'dequeued', 'pinned', 'unpinned', 'subscribed', 'typed', 'untyped']);

const who = (at: At) => person(at('sender'));
const repository = (at: At) => firstOf(at('repository.name'), at('organization.login'));

type Reader = (at: At, call: Call) => Said | undefined;
/** What is said of the repository as a whole. */
const about =
  (content: (at: At) => Markdown): Reader =>
  (at) => ({ topic: repository(at), content: content(at) });
const ofRepository = (at: At) => link(at('repository.full_name'), at('repository.html_url'));

const READERS: Readonly<Record<string, Reader>> = {
  push,
  pull_request: pullRequest,
  pull_request_review: review,
  pull_request_review_comment: (at) => comment(at, 'pull_request', 'PR', 'review comment'),
  pull_request_review_thread: (at) => thing(at, 'pull_request', 'PR', md`${asWords(at('action').need)} a thread of`),
  issues: issue,
  issue_comment: (at) => comment(at, 'issue', at('issue.pull_request').exists ? 'PR' : 'issue', 'comment'),
  discussion: (at) => thing(at, 'discussion', 'discussion', asWords(at('action').need), at('discussion.body').text),
  discussion_comment: (at) => comment(at, 'discussion', 'discussion', 'comment'),
  commit_comment: (at) => ({
    topic: repository(at),
    content: noted(
      md`${who(at)} ${link('commented', at('comment.html_url'))} on ${link(at('comment.commit_id').need.slice(0, 7), `${at('repository.html_url').text}/commit/${at('comment.commit_id').text}`)}`,
      at('comment.body'),
    ),
  }),
  create: about((at) => md`${who(at)} created the ${at('ref_type')} ${at('ref').text}.`),
  delete: about((at) => md`${who(at)} deleted the ${at('ref_type')} ${at('ref').text}.`),
  fork: about(
    (at) => md`${who(at)} forked ${ofRepository(at)} to ${link(at('forkee.full_name'), at('forkee.html_url'))}.`,
  ),
  watch: about((at) => md`${who(at)} starred ${ofRepository(at)}.`),
  star: about((at) => md`${who(at)} ${at('action').text === 'deleted' ? 'unstarred' : 'starred'} ${ofRepository(at)}.`),
  public: about((at) => md`${who(at)} made ${ofRepository(at)} public.`),
  repository: about((at) => md`${who(at)} ${at('action')} the repository ${ofRepository(at)}.`),
  member: about(
    (at) =>
      md`${who(at)} ${at('action')} ${link(at('member.login'), at('member.html_url'))} as a collaborator of ${ofRepository(at)}.`,
  ),
  membership: about(
    (at) =>
      md`${who(at)} ${at('action')} ${link(at('member.login'), at('member.html_url'))} ${at('action').text === 'removed' ? 'from' : 'to'} the team ${at('team.name')}.`,
  ),
  team: (at) => ({
    topic: `team ${at('team.name').need}`,
    content: md`${who(at)} ${asWords(at('action').need)} the team ${link(at('team.name'), at('team.html_url'))}.`,
  }),
  team_add: about((at) => md`${who(at)} added ${ofRepository(at)} to the team ${at('team.name')}.`),
  gollum: about((at) =>
    paragraphs(
      md`${who(at)} changed the wiki:`,
      bullets(
        at('pages').list.map((page) => md`${page.at('action')} ${link(page.at('title'), page.at('html_url'))}`),
        at('pages').count,
      ),
    ),
  ),
  milestone: about(
    (at) => md`${who(at)} ${at('action')} the milestone ${link(at('milestone.title'), at('milestone.html_url'))}.`,
  ),
  release: (at) => ({
    topic: `${repository(at)} / ${at('release.tag_name').need} ${at('release.name').text}`,
    content: noted(
      md`${who(at)} ${asWords(at('action').need)} the release ${link(firstOf(at('release.name'), at('release.tag_name')), at('release.html_url'))}`,
      at('release.body'),
    ),
  }),
  package: about(
    (at) =>
      md`${who(at)} ${at('action')} the package ${link(md`${at('package.name')} ${at('package.package_version.version').text}`, at('package.html_url'))}.`,
  ),
  deployment: (at) => ({
    topic: `${repository(at)} / Deployment on ${at('deployment.environment').need}`,
    content: md`${who(at)} began a deployment of ${at('deployment.ref')} to ${at('deployment.environment')}.`,
  }),
  deployment_status: (at) => ({
    topic: `${repository(at)} / Deployment on ${at('deployment.environment').need}`,
    content: built({
      what: `Deployment of ${at('deployment.ref').text} to ${at('deployment.environment').need}`,
      url: firstOf(at('deployment_status.environment_url'), at('deployment_status.target_url')),
      state: at('deployment_status.state').need,
    }),
  }),
  status: (at) => ({
    topic: `${repository(at)} / ${at('branches.0.name').text || at('sha').need.slice(0, 7)}`,
    content: built({
      what: `${firstOf(at('context'), 'Status')} of ${at('sha').need.slice(0, 7)}`,
      url: at('target_url'),
      state: at('state').need,
      rest: md`${at('description').text}`,
    }),
  }),
  check_run: (at) =>
    at('action').text === 'completed'
      ? {
          topic: `${repository(at)} / checks`,
          content: built({
            what: `Check ${at('check_run.name').need} of ${at('check_run.head_sha').text.slice(0, 7)}`,
            url: at('check_run.html_url'),
            state: at('check_run.conclusion').need,
          }),
        }
      : undefined,
  workflow_run: (at) =>
    at('action').text === 'completed'
      ? {
          topic: `${repository(at)} / ${at('workflow_run.head_branch').text}`,
          content: built({
            what: `${at('workflow_run.name').need} #${at('workflow_run.run_number').text}`,
            url: at('workflow_run.html_url'),
            state: at('workflow_run.conclusion').need,
            rest: md`Started by ${person(at('workflow_run.actor')) || who(at)}.`,
          }),
        }
      : undefined,
  page_build: about((at) =>
    built({
      what: 'GitHub Pages',
      url: at('repository.html_url'),
      state: at('build.status').need,
      rest: md`${at('build.error.message').text}`,
    }),
  ),
  repository_vulnerability_alert: about(
    (at) =>
      md`Security alert (${at('action')}): ${link(at('alert.affected_package_name'), at('alert.external_reference'))} ${at('alert.affected_range').text} in ${ofRepository(at)}. Fixed in ${firstOf(at('alert.fixed_in'), 'no release yet')}.`,
  ),
  branch_protection_rule: about(
    (at) => md`${who(at)} ${at('action')} the protection of ${at('rule.name')} in ${ofRepository(at)}.`,
  ),
  sponsorship: (at) => ({
    topic: 'sponsors',
    content: md`${person(at('sponsorship.sponsor'))} ${asWords(at('action').need)} a sponsorship: ${firstOf(at('sponsorship.tier.name'), at('effective_date'), 'no tier')}.`,
  }),
  ping: (at) => ({
    topic: repository(at) || 'GitHub',
    content: md`GitHub ${at('hook.events').exists ? 'is set up' : 'says hello'}${at('sender').exists ? md` by ${who(at)}` : md``}. ${at('zen').text}`,
  }),
};

function push(at: At, call: Call): Said | undefined {
  const branch = branchOf(at('ref'));
  const created = at('created').isTrue;
  const deleted = at('deleted').isTrue;
  if (at('ref').text.startsWith('refs/tags/'))
    return {
      event: 'tag_push',
      topic: repository(at),
      content: md`${who(at) || person(at('pusher'))} ${deleted ? 'removed' : 'pushed'} the tag ${link(branch, `${at('repository.html_url').text}/releases/tag/${encodeURIComponent(branch)}`)}.`,
    };
  if (!isBranchWanted(call.option('branches'), branch)) return undefined;
  const commits = at('commits').list.map((commit) => ({
    sha: commit.at('id').text,
    url: commit.at('url').text,
    message: commit.at('message').text,
    author: firstOf(commit.at('author.username'), commit.at('author.name')),
  }));
  const change = deleted ? 'deleted' : at('forced').isTrue ? 'forced' : created ? 'created' : undefined;
  return {
    topic: `${repository(at)} / ${branch}`,
    content: pushed({
      who: firstOf(person(at('sender')), person(at('pusher'))),
      branch,
      url: at('compare').text,
      commits,
      count: at('commits').count,
      change,
    }),
  };
}

/** Something that has number, title and address, and what was done to it. */
function thing(at: At, path: string, kind: string, did: string | Markdown, body = '', rest?: Markdown): Said {
  const [number, title] = [`#${at(`${path}.number`).need}`, at(`${path}.title`).text];
  return {
    topic: `${repository(at)} / ${kind} ${number} ${title}`,
    content: happened({ who: who(at), did, kind, number, title, url: at(`${path}.html_url`).text, body, rest }),
  };
}

function comment(at: At, path: string, kind: string, noun: string): Said {
  const action = at('action').need;
  const did = action === 'created' ? 'commented' : `${action} a ${noun}`;
  const body = action === 'deleted' ? '' : at('comment.body').text;
  return thing(at, path, kind, md`${link(did, at('comment.html_url'))} on`, body);
}

function issue(at: At): Said | undefined {
  const action = at('action').need;
  if (QUIET.has(action)) return undefined;
  const body = action === 'opened' ? at('issue.body').text : '';
  return thing(at, 'issue', 'issue', asWords(action), body, detail(at, action));
}

/** Whom or what a change is about. */
function detail(at: At, action: string): Markdown | undefined {
  if (action.endsWith('assigned')) return md`(${person(at('assignee'))})`;
  if (action.endsWith('labeled')) return md`(${at('label.name').text})`;
  if (action.endsWith('milestoned')) return md`(${at('milestone.title').text})`;
  if (action.startsWith('review_request'))
    return md`(${firstOf(person(at('requested_reviewer')), at('requested_team.name'))})`;
  return undefined;
}

const DONE: Readonly<Record<string, string>> = {
  synchronize: 'updated',
  ready_for_review: 'marked as ready for review',
  converted_to_draft: 'turned into a draft',
  review_requested: 'asked for a review of',
  review_request_removed: 'withdrew a request to review',
  auto_merge_enabled: 'enabled automatic merging of',
  auto_merge_disabled: 'disabled automatic merging of',
};

function pullRequest(at: At): Said | undefined {
  const action = at('action').need;
  if (QUIET.has(action)) return undefined;
  const pr = new Field(at('pull_request').value);
  const closed = pr.at('merged').isTrue ? 'merged' : 'closed without merging';
  const did = action === 'closed' ? closed : (DONE[action] ?? asWords(action));
  const [number, title] = [`#${pr.at('number').need}`, pr.at('title').text];
  const isNew = action === 'opened';
  return {
    topic: `${repository(at)} / PR ${number} ${title}`,
    content: happened({
      who: who(at),
      did,
      kind: pr.at('draft').isTrue && isNew ? 'draft PR' : 'PR',
      number,
      title,
      url: pr.at('html_url').text,
      ...(isNew && { from: pr.at('head.label').text, to: pr.at('base.label').text }),
      rest: detail(at, action),
      body: isNew || at('changes.body').exists ? pr.at('body').text : '',
    }),
  };
}

function review(at: At): Said {
  const state = at('review.state').text;
  const did =
    { approved: 'approved', changes_requested: 'asked for changes in', dismissed: 'dismissed a review of' }[state] ??
    'reviewed';
  return thing(
    at,
    'pull_request',
    'PR',
    link(at('action').text === 'edited' ? 'edited a review of' : did, at('review.html_url')),
    at('review.body').text,
  );
}

export const github = integration({
  name: 'github',
  title: 'GitHub',
  category: 'Code',
  setUp:
    'In the repository or organization open Settings, Webhooks, Add webhook. Paste the address as Payload URL and choose the content type application/json.',
  events: EVENTS,
  options: [OPTIONS.branches, OPTIONS.noPrivate, OPTIONS.secret],
  signature: sha256('x-hub-signature-256', 'sha256='),
  read: (at, call) => {
    const event = call.header('x-github-event');
    if (call.option('ignore_private_repositories') === 'true' && at('repository.private').isTrue) return undefined;
    if (ECHOES.has(event)) return undefined;
    const reader = Object.hasOwn(READERS, event) ? READERS[event] : undefined;
    if (!reader) throw new UnsupportedEvent(event);
    const said = reader(at, call);
    return said && { event, ...said };
  },
  samples: githubSamples,
});
