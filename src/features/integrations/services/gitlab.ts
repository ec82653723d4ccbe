import { type At, type Field, firstOf } from '../field.ts';
import { type Call, integration, OPTIONS, type Said } from '../integration.ts';
import { bullets, facts, lines, link, type Markdown, md, paragraphs, quote } from '../markdown.ts';
import { UnsupportedEvent } from '../faults.ts';
import {
  asWords,
  branchOf,
  built,
  capital,
  counted,
  happened,
  isBranchWanted,
  mark,
  noted,
  person,
  pushed,
} from '../words/index.ts';
import { gitlabSamples } from './gitlab.samples.ts';

const NO_COMMIT = /^0+$/;
const who = (at: At) => firstOf(person(at('user')), at('user_name'), at('user_username'), at('commit.author_name'));
/** The project, or the group of what belongs to none, such as an epic. */
const project = (at: At) =>
  firstOf(at('project.name'), at('repository.name'), at('project_name'), groupOf(at('object_attributes.url').text));
const groupOf = (url: string) => /\/groups\/([^\s?#]{1,200}?)\/-\//.exec(url)?.[1] ?? '';

const DONE: Readonly<Record<string, string>> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  update: 'updated',
  merge: 'merged',
  approved: 'approved',
  approval: 'approved',
  unapproved: 'withdrew the approval of',
  unapproval: 'withdrew the approval of',
  create: 'created',
  delete: 'deleted',
};
const did = (action: string) => DONE[action] ?? asWords(action);

type Reader = (at: At, call: Call) => Said | undefined;

/** Events by the `X-Gitlab-Event` header. */
const READERS: Readonly<Record<string, Reader>> = {
  'Push Hook': push,
  'Tag Push Hook': tag,
  'Issue Hook': item,
  'Confidential Issue Hook': item,
  'Work Item Hook': item,
  'Confidential Work Item Hook': item,
  'Merge Request Hook': (at) => thing(at, 'MR', '!'),
  'Note Hook': note,
  'Confidential Note Hook': note,
  'Wiki Page Hook': (at) => ({
    topic: project(at),
    content: md`${who(at)} ${did(at('object_attributes.action').need)} the wiki page ${link(at('object_attributes.title'), at('object_attributes.url'))}.`,
  }),
  'Job Hook': job,
  'Build Hook': job,
  'Pipeline Hook': pipeline,
  'Release Hook': (at) => ({
    topic: `${project(at)} / ${at('tag').need} ${at('name').text}`,
    content: noted(
      md`The release ${link(firstOf(at('name'), at('tag')), at('url'))} was ${asWords(did(at('action').need))}`,
      at('description'),
    ),
  }),
  'Feature Flag Hook': (at) => ({
    topic: project(at),
    content: md`${who(at)} turned the feature flag ${link(at('object_attributes.name'), `${at('project.web_url').text}/-/feature_flags/${at('object_attributes.id').text}`)} ${at('object_attributes.active').isTrue ? 'on' : 'off'}.`,
  }),
  'Deployment Hook': deployment,
  'Resource Access Token Hook': token,
  'Resource Deploy Token Hook': token,
  'Milestone Hook': (at) => ({
    topic: project(at),
    content: noted(
      md`The milestone ${link(at('object_attributes.title'), `${at('project.web_url').text}/-/milestones/${at('object_attributes.iid').text}`)} was ${did(firstOf(at('action'), at('object_attributes.action'), 'update'))}`,
      at('object_attributes.description'),
    ),
  }),
  'Emoji Hook': emoji,
  'Vulnerability Hook': (at) => {
    const it = at('object_attributes');
    return {
      topic: project(at),
      content: paragraphs(
        md`${mark(/^(?:resolved|dismissed)$/.test(it.at('state').text) ? 'good' : 'bad')} A vulnerability is ${it.at('state').text || 'known'}: ${link(it.at('title'), it.at('url'))}`,
        facts({
          Severity: it.at('severity'),
          'Found by': asWords(it.at('report_type').text),
          Where: it.at('location.file'),
        }),
      ),
    };
  },
  'Project Hook': (at) => ({
    topic: firstOf(at('name'), 'projects'),
    content: md`The project ${firstOf(at('path_with_namespace'), at('name'))}: ${asWords(at('event_name').need)}.`,
  }),
  'Member Hook': (at) => ({
    topic: at('group_name').need,
    content: md`${at('user_name')}: ${asWords(at('event_name').need)} (${at('group_access').text}).`,
  }),
  'Subgroup Hook': (at) => ({
    topic: firstOf(at('parent_name'), at('name')),
    content: md`The subgroup ${at('name')}: ${asWords(at('event_name').need)}.`,
  }),
};

/** A deployment, or what somebody says to one that waits to be approved. */
function deployment(at: At): Said {
  const what = `Deployment of ${at('ref').text} to ${at('environment').need}`;
  const [sha, approver] = [at('short_sha').text, person(at('approver'))];
  const commit =
    sha === '' ? undefined : md`Commit ${link(sha.slice(0, 7), at('commit_url'))} ${at('commit_title').text}.`;
  const by = approver === '' ? md`Started by ${who(at)}.` : md`${capital(at('status').text)} by ${approver}.`;
  return {
    topic: `${project(at)} / Deployment on ${at('environment').need}`,
    content: paragraphs(
      built({ what, url: at('deployable_url'), state: at('status').need, rest: lines([by, commit], ' ') }),
      quote(at('approval.comment')),
    ),
  };
}

/** Tokens of a project or a group, days before they end. */
function token(at: At): Said {
  return {
    topic: firstOf(project(at), at('group.group_name'), 'tokens'),
    content: md`The ${at('object_kind').text === 'deploy_token' ? 'deploy' : 'access'} token ${at('object_attributes.name')} expires on ${at('object_attributes.expires_at').text || 'an unknown day'}.`,
  };
}

/** A reaction, with that to which it was given. */
function emoji(at: At): Said {
  const it = at('object_attributes');
  const place = Object.values(NOTED).find(([path]) => at(path).exists);
  const [path, kind, sign] = place ?? ['note', placeOf(at('note.noteable_type').text), ''];
  const [number, title] = [firstOf(at(`${path}.iid`), at(`${path}.id`)), at(`${path}.title`).text];
  const verb = firstOf(it.at('action'), at('event_type')) === 'revoke' ? 'took back' : 'reacted with';
  const what = at('note').exists ? `a comment on ${kind}` : kind;
  return {
    topic: place ? `${project(at)} / ${kind} #${number} ${title}` : project(at),
    content: md`${who(at)} ${verb} :${it.at('name')}: ${verb === 'took back' ? 'from' : 'to'} ${link(place ? `${what} ${sign}${number} ${title}` : what, firstOf(it.at('awarded_on_url'), at(`${path}.url`)))}.`,
  };
}

/** What a comment stands at that has neither number nor title in the call. */
const placeOf = (type: string) => (type.startsWith('DesignManagement') ? 'a design' : 'a commit');

function push(at: At, call: Call): Said | undefined {
  const branch = branchOf(at('ref'));
  if (!isBranchWanted(call.option('branches'), branch)) return undefined;
  const [before, after, home] = [at('before').text, at('after').text, at('project.web_url').text];
  const change = NO_COMMIT.test(after) ? 'deleted' : NO_COMMIT.test(before) ? 'created' : undefined;
  const url = change === 'created' ? `${home}/-/tree/${branch}` : `${home}/-/compare/${before}...${after}`;
  return {
    topic: `${project(at)} / ${branch}`,
    content: pushed({
      who: who(at),
      branch,
      url,
      commits: at('commits').list.map(toCommit),
      count: Math.max(at('total_commits_count').number ?? 0, at('commits').count),
      change,
    }),
  };
}

function toCommit(commit: Field) {
  return {
    sha: commit.at('id').text,
    url: commit.at('url').text,
    message: commit.at('message').text,
    author: commit.at('author.name').text,
  };
}

function tag(at: At): Said {
  const name = branchOf(at('ref'));
  // A tag that is gone is checked out nowhere.
  const isGone = NO_COMMIT.test(at('after').text) || at('checkout_sha').value === null;
  const url = isGone ? '' : `${at('project.web_url').text}/-/tags/${encodeURIComponent(name)}`;
  return {
    topic: project(at),
    content: md`${who(at)} ${isGone ? 'removed' : 'pushed'} the tag ${link(name, url)}.`,
  };
}

/** What a change of says something to others, with the word for it. */
const TOLD: Readonly<Record<string, string>> = {
  title: 'title',
  description: 'description',
  assignees: 'assignees',
  labels: 'labels',
  draft: 'draft',
  milestone_id: 'milestone',
  reviewers: 'reviewers',
  state_id: '',
  due_date: 'due date',
  severity: 'severity',
  target_branch: 'target',
};

/** What was updated, and to what where that is short. */
function changed(at: At): string {
  const names = (list: Field) => list.list.map((one) => one.at('title').text || person(one)).join(', ') || 'none';
  const now = (name: string, word: string) => {
    const it = at(`changes.${name}.current`);
    if (name === 'title') return `the title was “${at('changes.title.previous').text}”`;
    if (Array.isArray(it.value)) return `${word}: ${names(it)}`;
    return ['draft', 'due_date', 'severity', 'target_branch'].includes(name) ? `${word}: ${it.text || 'none'}` : word;
  };
  const all = Object.entries(TOLD).filter(([name, word]) => word !== '' && at(`changes.${name}`).exists);
  return all.map(([name, word]) => now(name, word)).join('; ');
}

/** The kind of a work item: GitLab keeps incidents, tasks, epics and others as it keeps issues. */
function kindOf(it: Field): string {
  return asWords(it.at('type').text) || 'issue';
}

/** An issue, or a work item of another kind. */
function item(at: At): Said | undefined {
  return thing(at, kindOf(at('object_attributes')), '#');
}

/** What was done: updates may close, reopen, or add commits. */
function verbOf(at: At, action: string): string {
  if (action !== 'update') return did(action);
  if (at('object_attributes.oldrev').exists) return 'added commits to';
  if (!at('changes.state_id').exists) return did(action);
  return at('changes.state_id.current').number === 1 ? 'reopened' : 'closed';
}

/** An issue or merge request. Updates that change nothing that others want to know are left out. */
function thing(at: At, kind: string, sign: string): Said | undefined {
  const it = at('object_attributes');
  const action = it.at('action').text || 'update';
  const isNews = it.at('oldrev').exists || Object.keys(TOLD).some((name) => at(`changes.${name}`).exists);
  if (action === 'update' && at('changes').exists && !isNews) return undefined;
  const isNew = action === 'open';
  const [number, title] = [it.at('iid').need, it.at('title').text];
  const home = firstOf(at('project.web_url'), at('repository.homepage'));
  const path = kind === 'MR' ? 'merge_requests' : 'issues';
  return {
    topic: `${project(at)} / ${kind} #${number} ${title}`,
    content: happened({
      who: who(at),
      did: verbOf(at, action),
      kind,
      number: `${sign}${number}`,
      title,
      url: firstOf(it.at('url'), home === '' ? '' : `${home}/-/${path}/${number}`),
      ...(kind === 'MR' && isNew && { from: it.at('source_branch').text, to: it.at('target_branch').text }),
      rest: restOf(at, action),
      body: isNew ? it.at('description').text : '',
    }),
  };
}

/** Who is to work on it, who is to review it, and what was changed. */
function restOf(at: At, action: string): Markdown | undefined {
  const people = (path: string) =>
    at(path)
      .list.map(person)
      .filter((name) => name !== '')
      .join(', ');
  const assigned = firstOf(people('assignees'), person(at('assignee')));
  const reviewers = people('reviewers');
  const updated = action === 'update' ? changed(at) : '';
  const parts = [
    ...(updated === '' ? [] : [updated]),
    ...(assigned === '' || (action === 'update' && at('changes.assignees').exists) ? [] : [`assigned to ${assigned}`]),
    ...(reviewers === '' || action !== 'open' ? [] : [`to be reviewed by ${reviewers}`]),
  ];
  return parts.length > 0 ? md`(${parts.join('; ')})` : undefined;
}

const NOTED: Readonly<Record<string, readonly [path: string, kind: string, sign: string]>> = {
  MergeRequest: ['merge_request', 'MR', '!'],
  Issue: ['issue', 'issue', '#'],
  WorkItem: ['issue', 'issue', '#'],
  Snippet: ['snippet', 'snippet', '$'],
  ProjectSnippet: ['project_snippet', 'snippet', '$'],
};

function note(at: At): Said {
  const it = at('object_attributes');
  const type = it.at('noteable_type').need;
  const commented = link('commented', it.at('url'));
  const known = Object.hasOwn(NOTED, type) ? NOTED[type] : undefined;
  if (!known)
    return {
      topic: project(at),
      content: noted(
        md`${who(at)} ${commented} on ${link(at('commit.id').need.slice(0, 7), at('commit.url'))}`,
        it.at('note'),
      ),
    };
  const [path, , sign] = known;
  const kind = known[1] === 'issue' ? kindOf(at(path)) : known[1];
  const [number, title] = [firstOf(at(`${path}.iid`), at(`${path}.id`)), at(`${path}.title`).text];
  return {
    topic: `${project(at)} / ${kind} #${number} ${title}`,
    content: happened({
      who: who(at),
      did: md`${commented} on`,
      kind,
      number: `${sign}${number}`,
      title,
      url: firstOf(at(`${path}.url`), it.at('url')),
      body: it.at('note').text,
    }),
  };
}

function job(at: At): Said {
  const url = `${firstOf(at('repository.homepage'), at('project.web_url'))}/-/jobs/${at('build_id').text}`;
  return {
    topic: `${project(at)} / ${at('ref').need}`,
    content: built({
      what: `Job ${at('build_name').need}`,
      url,
      state: at('build_status').need,
      rest: md`Stage ${at('build_stage').text}, started by ${who(at)}.`,
    }),
  };
}

function pipeline(at: At): Said {
  const it = at('object_attributes');
  const url = firstOf(it.at('url'), `${at('project.web_url').text}/-/pipelines/${it.at('id').text}`);
  const home = at('project.web_url').text;
  const jobs = at('builds').list.map((one) => {
    const job = one.at('id').exists && home !== '' ? `${home}/-/jobs/${one.at('id').text}` : '';
    const files =
      job !== '' && one.at('artifacts_file.filename').exists ? link('artifacts', `${job}/artifacts/browse`) : undefined;
    return md`${link(one.at('name'), job)}: ${one.at('status').text}${files && md` (${files})`}`;
  });
  const seconds = it.at('duration').number;
  const rest = md`Started by ${who(at)}${seconds === undefined ? '' : `, took ${counted(seconds, 'second')}`}.`;
  const head = built({ what: `Pipeline #${it.at('id').need}`, url, state: it.at('status').need, rest });
  return {
    topic: `${project(at)} / ${it.at('ref').need}`,
    content: paragraphs(head, bullets(jobs, at('builds').count)),
  };
}

export const gitlab = integration({
  name: 'gitlab',
  title: 'GitLab',
  category: 'Code',
  setUp: 'In the project or group open Settings, Webhooks. Paste the address as URL and choose the events.',
  events: Object.keys(READERS),
  options: [OPTIONS.branches, OPTIONS.secret],
  signature: { header: 'x-gitlab-token', algorithm: 'plain' },
  read: (at, call) => {
    const sent = call.header('x-gitlab-event');
    // System hooks name no kind in the header.
    const event = sent === 'System Hook' ? systemEvent(at) : sent;
    // It follows a push, and would say everything twice.
    if (event === 'Repository Update Hook') return undefined;
    const reader = Object.hasOwn(READERS, event) ? READERS[event] : undefined;
    if (!reader) throw new UnsupportedEvent(event);
    const said = reader(at, call);
    return said && { event, ...said };
  },
  samples: gitlabSamples,
});

function systemEvent(at: At): string {
  const kind = firstOf(at('event_name'), at('object_kind'));
  const words = kind.split('_').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${kind === 'access_token' ? 'Resource ' : ''}${words.join(' ')} Hook`;
}
