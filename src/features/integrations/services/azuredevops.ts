import { type At, type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { type Call, integration, OPTIONS, type Said } from '../integration.ts';
import { facts, link, type Markdown, md, paragraphs, quote } from '../markdown.ts';
import {
  asWords,
  branchOf,
  built,
  happened,
  isBranchWanted,
  noted,
  person,
  pushed,
  textOfHtml,
  withoutAddress,
} from '../words/index.ts';

const home = 'https://dev.azure.example/ferry/_git/boats';
const repository = { name: 'boats', remoteUrl: 'https://ferry@dev.azure.example/ferry/_git/boats', webUrl: home };
const by = { displayName: 'Mia Member' };
const request = {
  pullRequestId: 12,
  title: 'Row faster',
  description: 'Four oars.',
  sourceRefName: 'refs/heads/oars',
  targetRefName: 'refs/heads/main',
  repository,
  createdBy: by,
  status: 'active',
  mergeStatus: 'succeeded',
  isDraft: false,
  reviewers: [],
  _links: { web: { href: `${home}/pullrequest/12` } },
};
const closed = { closedBy: by, closedDate: '2026-11-20T10:00:00.5006647Z' };
const REQUESTS = new Set(['git.pullrequest.created', 'git.pullrequest.updated', 'git.pullrequest.merged']);

function push(at: At, { option }: Call): readonly Said[] {
  const it = at('resource');
  return it.at('refUpdates').list.flatMap((ref) => {
    const branch = branchOf(ref.at('name'));
    if (!isBranchWanted(option('branches'), branch)) return [];
    const url = homeOf(it);
    const commits = it.at('commits').list.map((commit) => ({
      sha: commit.at('commitId').text,
      url: `${url}/commit/${commit.at('commitId').text}`,
      message: commit.at('comment').text,
      author: person(commit.at('author')),
    }));
    const change = /^0+$/.test(ref.at('newObjectId').text)
      ? 'deleted'
      : /^0+$/.test(ref.at('oldObjectId').text)
        ? 'created'
        : undefined;
    return [
      {
        event: 'git.push',
        topic: `${it.at('repository.name').need} / ${branch}`,
        content: pushed({
          who: person(it.at('pushedBy')),
          branch,
          url:
            change === 'created'
              ? `${url}?version=GB${encodeURIComponent(branch)}`
              : `${url}/branchCompare?baseVersion=GC${ref.at('oldObjectId').text}&targetVersion=GC${ref.at('newObjectId').text}`,
          commits,
          count: it.at('commits').count,
          change,
        }),
      },
    ];
  });
}

/** Returns who did what to a pull request, as far as the payload has it. */
function doneTo(at: At, event: string): readonly [who: string, did: string] {
  const it = at('resource');
  const status = it.at('status').text;
  if (event.endsWith('created')) return [person(it.at('createdBy')), 'created'];
  if (event.endsWith('merged') && status !== 'completed') return ['Azure DevOps', 'tried to merge'];
  // Who changed a pull request is only in the text of the message.
  const [, who = '', did = ''] = TOLD_BY.exec(at('message.text').text) ?? [];
  if (event.endsWith('updated') && status === 'active' && who !== '') return [who, did];
  const closed = event.endsWith('merged') || status === 'completed' ? 'merged' : status;
  return [
    firstOf(person(it.at('closedBy')), person(it.at('createdBy')), 'Somebody'),
    ['merged', 'abandoned'].includes(closed) ? closed : 'updated',
  ];
}

/** Matches who did what to a pull request in the service's text. */
const TOLD_BY =
  /^(\S[^\n]{0,200}?) (updated the source branch of|changed the reviewer list on|has approved|approved|reactivated|published) (?:the )?pull request\b/;

function pullRequest(at: At, event: string): Said {
  const it = at('resource');
  const [number, title, isNew] = [`#${it.at('pullRequestId').need}`, it.at('title').text, event.endsWith('created')];
  const [who, did] = doneTo(at, event);
  const merge = it.at('mergeStatus').text;
  const reviewers = it.at('reviewers').list.flatMap((one) => (isNew ? [person(one)] : []));
  const rest =
    did === 'tried to merge' ? merge : reviewers.length > 0 ? `to be reviewed by ${reviewers.join(', ')}` : '';
  return {
    event,
    topic: `${it.at('repository.name').need} / PR ${number} ${title}`,
    content: happened({
      who,
      did: did.replace(/^has /, ''),
      kind: it.at('isDraft').isTrue && isNew ? 'draft PR' : 'PR',
      number,
      title,
      url: firstOf(it.at('_links.web.href'), `${homeOf(it)}/pullrequest/${it.at('pullRequestId').text}`),
      ...(isNew && { from: branchOf(it.at('sourceRefName')), to: branchOf(it.at('targetRefName')) }),
      rest: rest === '' ? undefined : md`(${rest})`,
      body: isNew ? it.at('description').text : '',
    }),
  };
}

/** Returns a repository's address, without the user name that a clone address can have. */
function homeOf(it: Field): string {
  return firstOf(it.at('repository.webUrl'), it.at('repository.remoteUrl')).replace(/^(https?:\/\/)[^/@]*@/, '$1');
}

/** Returns a field by a name that contains dots. */
const named = (fields: Field, name: string) => fields.members.find(([key]) => key === name)?.[1] ?? fields.at('-');

/** Returns the web address of a work item: updates have only its API address. */
function workItemAt(at: At, it: Field): string {
  const page = firstOf(it.at('_links.html.href'), at('resource._links.html.href'));
  const [, home = '', id = ''] =
    /^(https?:\/\/\S{1,300}?)\/_apis\/wit\/workItems\/(\d+)/i.exec(it.at('url').text) ?? [];
  return page !== '' || home === '' ? page : `${home}/_workitems/edit/${id}`;
}

function workItem(at: At, event: string): Said {
  const it = at('resource.revision').exists ? at('resource.revision') : at('resource');
  const field = (name: string) => named(it.at('fields'), name);
  const title = `#${firstOf(it.at('id'), at('resource.workItemId'))} ${field('System.Title').text}`;
  // Changed fields are shown with the old and the new value.
  const value = (name: string) => {
    const [change, now] = [named(at('resource.fields'), name), nameOf(field(name))];
    const [before, after] = [nameOf(change.at('oldValue')), nameOf(change.at('newValue'))];
    return before === '' && after === '' ? now : `${before || 'none'} → ${after || 'none'}`;
  };
  const by = [field('System.ChangedBy'), at('resource.revisedBy'), field('System.CreatedBy')].map(nameOf);
  return {
    event,
    topic: `${field('System.TeamProject').text || 'work items'} / ${title}`,
    content: paragraphs(
      md`${firstOf(...by, 'Somebody')} ${asWords(event.slice('workitem.'.length))} the work item ${link(title, workItemAt(at, it))}.`,
      facts({
        Kind: field('System.WorkItemType'),
        State: value('System.State'),
        'Assigned to': value('System.AssignedTo'),
      }),
      event === 'workitem.commented' ? quote(textOfHtml(field('System.History').text)) : undefined,
    ),
  };
}

/** The value of a field; for a person, the name without the address. */
const nameOf = (field: Field) => withoutAddress(person(field));

/** Events for which the service's own text is posted: releases, pipelines, comments and TFVC. */
const TOLD = /^(?:ms\.vss-|tfvc\.|git\.)/;

function told(at: At, event: string): Said {
  const it = at('resource');
  const url = firstOf(
    it.at('_links.web.href'),
    it.at('comment._links.web.href'),
    it.at('environment.release._links.web.href'),
    it.at('run._links.web.href'),
    it.at('repository').exists ? homeOf(it) : '',
  );
  const project = firstOf(
    it.at('project.name'),
    it.at('repository.project.name'),
    it.at('pullRequest.repository.project.name'),
  );
  const pipeline = firstOf(it.at('pipeline.name'), it.at('run.pipeline.name'));
  const [request, repository] = [it.at('pullRequest'), it.at('pullRequest.repository.name').text];
  return {
    event,
    topic:
      repository !== '' && request.at('pullRequestId').exists
        ? `${repository} / PR #${request.at('pullRequestId').text} ${request.at('title').text}`
        : firstOf(project, pipeline, 'Azure DevOps'),
    content: noted(link(at('message.text').need.replace(/\.$/, ''), url), it.at('comment.content')),
  };
}

/** Who started a build, and on which branch. */
function startedBy(at: At): Markdown {
  const by = firstOf(person(at('resource.requests.0.requestedFor')), person(at('resource.requestedFor')), 'somebody');
  const branch = at('resource.sourceBranch').text !== '' ? branchOf(at('resource.sourceBranch')) : '';
  return md`Started by ${by}${branch === '' ? undefined : md` on ${branch}`}.`;
}

export const azuredevops = integration({
  name: 'azuredevops',
  title: 'Azure DevOps',
  category: 'Code',
  setUp:
    'In the project open Project settings, Service hooks, Create subscription, Web Hooks. Choose the trigger and paste the address as URL.',
  events: [
    'git.push',
    'git.pullrequest.created',
    'git.pullrequest.updated',
    'git.pullrequest.merged',
    'build.complete',
    'workitem.created',
    'workitem.updated',
    'workitem.commented',
    'workitem.deleted',
    'workitem.restored',
    'tfvc.checkin',
    'git.repo.created',
    'ms.vss-code.git-pullrequest-comment-event',
    'ms.vss-release.deployment-completed-event',
    'ms.vss-pipelines.run-state-changed-event',
  ],
  options: [OPTIONS.branches],
  read: (at, call) => {
    const event = at('eventType').need;
    if (event === 'git.push') return push(at, call);
    if (REQUESTS.has(event)) return pullRequest(at, event);
    if (event.startsWith('workitem.')) return workItem(at, event);
    if (event === 'build.complete')
      return {
        event,
        topic: at('resource.definition.name').need,
        content: built({
          what: `Build ${at('resource.buildNumber').need} of ${at('resource.definition.name').text}`,
          url: firstOf(at('resource._links.web.href'), at('resource.url')),
          state: firstOf(at('resource.result'), at('resource.status')),
          rest: startedBy(at),
        }),
      };
    if (!TOLD.test(event) || !at('message.text').exists) throw new UnsupportedEvent(event);
    return told(at, event);
  },
  samples: [
    {
      of: 'Commits are pushed',
      json: {
        eventType: 'git.push',
        resource: {
          repository,
          pushedBy: by,
          commits: [
            {
              commitId: '33b55f7cb7e7e245323987634f960cf4a6e6bc74',
              comment: 'Caulk the seams',
              author: { name: 'Mia Member' },
            },
          ],
          refUpdates: [{ name: 'refs/heads/main', oldObjectId: 'aad331d8d3b1', newObjectId: '33b55f7cb7e7' }],
        },
      },
    },
    { of: 'A pull request is created', json: { eventType: 'git.pullrequest.created', resource: request } },
    {
      of: 'A pull request is abandoned',
      json: { eventType: 'git.pullrequest.updated', resource: { ...request, ...closed, status: 'abandoned' } },
    },
    {
      of: 'Commits are pushed to a pull request',
      json: {
        eventType: 'git.pullrequest.updated',
        message: { text: `Max Member updated the source branch of pull request 12 (Row faster) in boats\r\n${home}/` },
        resource: request,
      },
    },
    {
      of: 'A pull request cannot be merged',
      json: {
        eventType: 'git.pullrequest.merged',
        message: { text: `Merge attempted  for pull request 12 (Row faster) in boats\r\n${home}/` },
        resource: { ...request, mergeStatus: 'conflicts' },
      },
    },
    {
      of: 'A pull request is merged',
      json: { eventType: 'git.pullrequest.merged', resource: { ...request, ...closed, status: 'completed' } },
    },
    {
      of: 'A build ends',
      json: {
        eventType: 'build.complete',
        resource: {
          buildNumber: '20261120.1',
          result: 'succeeded',
          definition: { name: 'boats-ci' },
          sourceBranch: 'refs/heads/main',
          sourceVersion: '33b55f7cb7e7e245323987634f960cf4a6e6bc74',
          _links: { web: { href: 'https://dev.azure.example/ferry/_build/results?buildId=1' } },
          requests: [{ requestedFor: by }],
        },
      },
    },
    {
      of: 'A work item is created',
      json: {
        eventType: 'workitem.created',
        resource: {
          id: 5,
          fields: {
            'System.Title': 'Tar the keel',
            'System.TeamProject': 'Ferry',
            'System.WorkItemType': 'Task',
            'System.State': 'New',
            'System.CreatedBy': 'Mia Member',
          },
          _links: { html: { href: 'https://dev.azure.example/ferry/_workitems/edit/5' } },
        },
      },
    },
    {
      of: 'A work item changes',
      json: {
        eventType: 'workitem.updated',
        resource: {
          id: 2,
          workItemId: 5,
          rev: 2,
          revisedBy: { displayName: 'Max Member', uniqueName: 'max@ferry.example' },
          fields: {
            'System.Rev': { oldValue: 1, newValue: 2 },
            'System.State': { oldValue: 'New', newValue: 'Done' },
            'System.AssignedTo': { newValue: 'Mia Member <mia@ferry.example>' },
          },
          revision: {
            id: 5,
            rev: 2,
            url: 'https://dev.azure.example/ferry/_apis/wit/workItems/5/revisions/2',
            fields: {
              'System.Title': 'Tar the keel',
              'System.TeamProject': 'Ferry',
              'System.State': 'Done',
              'System.ChangedBy': 'Max Member <max@ferry.example>',
            },
          },
        },
      },
    },
    ...['commented', 'deleted', 'restored'].map((verb) => ({
      of: `A work item is ${verb}`,
      json: {
        eventType: `workitem.${verb}`,
        message: { text: `Task #5 (Tar the keel) was ${verb} by Mia Member.` },
        resource: {
          id: 5,
          rev: 4,
          fields: {
            'System.Title': 'Tar the keel',
            'System.TeamProject': 'Ferry',
            'System.WorkItemType': 'Task',
            'System.State': 'New',
            'System.ChangedBy': 'Mia Member',
            ...(verb === 'commented' && { 'System.History': '<div>Tar <b>helps</b>.</div>' }),
          },
          _links: { html: { href: 'https://dev.azure.example/ferry/_workitems/edit/5' } },
        },
      },
    })),
    {
      of: 'A pull request is commented on',
      json: {
        eventType: 'ms.vss-code.git-pullrequest-comment-event',
        message: { text: 'Mia Member has commented on a pull request' },
        resource: {
          comment: {
            id: 2,
            content: 'Why four?',
            author: by,
            commentType: 'text',
            _links: { web: { href: `${home}/pullrequest/12?discussionId=2` } },
          },
          pullRequest: { ...request, repository: { ...repository, project: { name: 'Ferry' } } },
        },
      },
    },
    {
      of: 'A deployment of a release ends',
      json: {
        eventType: 'ms.vss-release.deployment-completed-event',
        message: { text: 'Deployment of release Release-7 on stage Harbour succeeded.' },
        resource: {
          environment: {
            name: 'Harbour',
            status: 'succeeded',
            release: { name: 'Release-7', _links: { web: { href: 'https://dev.azure.example/ferry/_release?id=7' } } },
          },
          project: { name: 'Ferry' },
        },
      },
    },
    {
      of: 'A run of a pipeline changes its state',
      json: {
        eventType: 'ms.vss-pipelines.run-state-changed-event',
        message: { text: 'Run 20261120.1 Succeeded.' },
        resource: {
          run: {
            name: '20261120.1',
            state: 'completed',
            result: 'succeeded',
            _links: { web: { href: 'https://dev.azure.example/ferry/_build/results?buildId=1' } },
          },
          pipeline: { name: 'boats-ci' },
        },
      },
    },
    {
      of: 'A changeset is checked in',
      json: {
        eventType: 'tfvc.checkin',
        message: { text: 'Mia Member checked in changeset 18: Caulk the seams' },
        resource: {
          changesetId: 18,
          author: by,
          comment: 'Caulk the seams',
          url: 'https://dev.azure.example/ferry/18',
        },
      },
    },
    {
      of: 'A repository is created',
      json: {
        eventType: 'git.repo.created',
        message: { text: 'A new Git repository was created with name boats.' },
        resource: { repository: { ...repository, project: { name: 'Ferry' } }, initiatedBy: by },
      },
    },
  ],
});
