import { type At, type Field, firstOf } from '../field.ts';
import { type Call, integration, OPTIONS, type Said } from '../integration.ts';
import { bullets, facts, link, md, paragraphs } from '../markdown.ts';
import { UnsupportedEvent } from '../faults.ts';
import {
  asWords,
  branchOf,
  built,
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
const project = (at: At) => firstOf(at('project.name'), at('repository.name'), at('project_name'));

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
  'Issue Hook': (at) => thing(at, 'issue', '#'),
  'Confidential Issue Hook': (at) => thing(at, 'issue', '#'),
  'Work Item Hook': (at) => thing(at, 'issue', '#'),
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
  'Deployment Hook': (at) => ({
    topic: `${project(at)} / Deployment on ${at('environment').need}`,
    content: built({
      what: `Deployment of ${at('ref').text} to ${at('environment').need}`,
      url: at('deployable_url'),
      state: at('status').need,
      rest: md`Started by ${who(at)}.`,
    }),
  }),
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
  const [path, kind, sign] = place ?? ['note', 'commit', ''];
  const [number, title] = [firstOf(at(`${path}.iid`), at(`${path}.id`)), at(`${path}.title`).text];
  const verb = firstOf(it.at('action'), at('event_type')) === 'revoke' ? 'took back' : 'reacted with';
  const what = at('note').exists ? `a comment on ${kind}` : kind;
  return {
    topic: place ? `${project(at)} / ${kind} ${sign === '$' ? sign : '#'}${number} ${title}` : project(at),
    content: md`${who(at)} ${verb} :${it.at('name')}: ${verb === 'took back' ? 'from' : 'to'} ${link(place ? `${what} ${sign}${number} ${title}` : what, firstOf(it.at('awarded_on_url'), at(`${path}.url`)))}.`,
  };
}

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
      count: at('total_commits_count').number,
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
  const verb = NO_COMMIT.test(at('after').text) ? 'removed' : 'pushed';
  return {
    topic: project(at),
    content: md`${who(at)} ${verb} the tag ${link(name, `${at('project.web_url').text}/-/tags/${encodeURIComponent(name)}`)}.`,
  };
}

/** An issue or merge request. Updates that change neither title nor text nor who is to work on it are left out. */
function thing(at: At, kind: string, sign: string): Said | undefined {
  const it = at('object_attributes');
  const action = it.at('action').text || 'update';
  const changes = ['title', 'description', 'assignees', 'labels', 'draft', 'milestone_id', 'reviewers', 'state_id'];
  const isNews = it.at('oldrev').exists || changes.some((name) => at(`changes.${name}`).exists);
  if (action === 'update' && at('changes').exists && !isNews) return undefined;
  const assignees = at('assignees')
    .list.map(person)
    .filter((name) => name !== '');
  const isNew = action === 'open';
  const verb = action === 'update' && it.at('oldrev').exists ? 'added commits to' : did(action);
  const [number, title] = [it.at('iid').need, it.at('title').text];
  return {
    topic: `${project(at)} / ${kind} #${number} ${title}`,
    content: happened({
      who: who(at),
      did: verb,
      kind,
      number: `${sign}${number}`,
      title,
      url: it.at('url').text,
      ...(kind === 'MR' && isNew && { from: it.at('source_branch').text, to: it.at('target_branch').text }),
      rest: assignees.length > 0 ? md`(assigned to ${assignees.join(', ')})` : undefined,
      body: isNew ? it.at('description').text : '',
    }),
  };
}

const NOTED: Readonly<Record<string, readonly [path: string, kind: string, sign: string]>> = {
  MergeRequest: ['merge_request', 'MR', '!'],
  Issue: ['issue', 'issue', '#'],
  WorkItem: ['issue', 'issue', '#'],
  Snippet: ['snippet', 'snippet', '$'],
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
  const [path, kind, sign] = known;
  const [number, title] = [firstOf(at(`${path}.iid`), at(`${path}.id`)), at(`${path}.title`).text];
  return {
    topic: `${project(at)} / ${kind} ${sign === '$' ? sign : '#'}${number} ${title}`,
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
  const jobs = at('builds').list.map((one) => md`${one.at('name')}: ${one.at('status').text}`);
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
