import { type At, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS, type Said } from '../integration.ts';
import { code, md } from '../markdown.ts';
import { sha256 } from '../signature.ts';
import { happened, mark, noted, person } from '../words/index.ts';

const home = 'https://bitbucket.example/projects/FERRY/repos/boats';
const repository = { name: 'boats', project: { key: 'FERRY' }, links: { self: [{ href: `${home}/browse` }] } };
const actor = { displayName: 'Mia Member', name: 'mia' };
const pullRequest = {
  id: 12,
  title: 'Row faster',
  description: 'Four oars.',
  fromRef: { displayId: 'oars' },
  toRef: { displayId: 'main', repository },
  links: { self: [{ href: `${home}/pull-requests/12` }] },
};
const REQUESTS: Readonly<Record<string, string>> = {
  'pr:opened': 'opened',
  'pr:modified': 'changed',
  'pr:merged': 'merged',
  'pr:declined': 'declined',
  'pr:deleted': 'deleted',
  'pr:reviewer:approved': 'approved',
  'pr:reviewer:unapproved': 'withdrew the approval of',
  'pr:reviewer:needs_work': 'asked for changes in',
  'pr:reviewer:changes_requested': 'asked for changes in',
  'pr:reviewer:updated': 'changed the reviewers of',
  'pr:from_ref_updated': 'pushed commits to',
  'pr:to_ref_updated': 'changed the target of',
  'pr:comment:added': 'commented on',
  'pr:comment:edited': 'edited a comment on',
  'pr:comment:deleted': 'deleted a comment on',
};
const comment = { id: 1, version: 0, text: 'Tar helps.', author: actor, comments: [], tasks: [] };
const reviewer = {
  user: { displayName: 'Max Member', name: 'max' },
  role: 'REVIEWER',
  approved: true,
  status: 'APPROVED',
};
/** What single events bring besides. */
const MORE: Readonly<Record<string, object>> = {
  'pr:modified': { previousTitle: 'Row', previousDescription: 'Two oars.', previousTarget: { displayId: 'main' } },
  'pr:reviewer:approved': { participant: reviewer, previousStatus: 'UNAPPROVED' },
  'pr:reviewer:updated': { addedReviewers: [reviewer.user], removedReviewers: [] },
  'pr:from_ref_updated': { previousFromHash: '99f3ea32043ba3ecaa28de6046b420de70257d80' },
};

const who = (at: At) => person(at('actor')) || 'Somebody';

function push(at: At, event: string): readonly Said[] {
  const name = firstOf(at('repository.name'), 'repository');
  return at('changes').list.map((change) => {
    const ref = change.at('ref.displayId').need;
    const verb = { ADD: 'created', DELETE: 'deleted' }[change.at('type').text] ?? 'pushed to';
    if (change.at('ref.type').text === 'TAG')
      return {
        event,
        topic: name,
        content: md`${who(at)} ${verb === 'deleted' ? 'removed' : 'pushed'} the tag ${ref}.`,
      };
    const head = verb === 'deleted' ? md`.` : md`. Head is now ${code(change.at('toHash').need.slice(0, 7))}.`;
    return { event, topic: `${name} / ${ref}`, content: md`${who(at)} ${verb} the branch ${ref}${head}` };
  });
}

type Reader = (at: At) => Pick<Said, 'topic' | 'content'>;
const commented =
  (did: string): Reader =>
  (at) => ({
    topic: at('repository.name').text,
    content: noted(
      md`${who(at)} ${did} on ${code(at('commit').need.slice(0, 7))}`,
      did.startsWith('deleted') ? '' : at('comment.text'),
    ),
  });

/** What is said of repositories and projects, but for what was pushed to them. */
const REPOSITORIES: Readonly<Record<string, Reader>> = {
  'repo:refs_changed': (at) => ({ topic: at('repository.name').text, content: md`${who(at)} pushed.` }),
  'repo:comment:added': commented('commented'),
  'repo:comment:edited': commented('edited a comment'),
  'repo:comment:deleted': commented('deleted a comment'),
  'repo:forked': (at) => ({
    topic: at('repository.origin.name').text,
    content: md`${who(at)} forked ${at('repository.origin.name')} to ${at('repository.project.name')}.`,
  }),
  'repo:modified': (at) => ({
    topic: at('new.name').text,
    content: md`${who(at)} renamed the repository ${at('old.name')} to ${at('new.name')}.`,
  }),
  'repo:secret_detected': (at) => ({
    topic: at('repository.name').text,
    content: md`${mark('bad')} A secret was pushed to ${at('repository.name')} by ${who(at)}.`,
  }),
  'mirror:repo_synchronized': (at) => ({
    topic: at('repository.name').text,
    content: md`The mirror ${at('mirrorServer.name')} has synchronized ${at('repository.name')}.`,
  }),
  'project:modified': (at) => ({
    topic: at('new.name').text,
    content: md`${who(at)} renamed the project ${at('old.name')} to ${at('new.name')}.`,
  }),
};

export const bitbucket3 = integration({
  name: 'bitbucket3',
  title: 'Bitbucket Server',
  category: 'Code',
  setUp: 'In the repository open Repository settings, Webhooks, Create webhook, and paste the address as URL.',
  events: [...Object.keys(REPOSITORIES), ...Object.keys(REQUESTS)],
  options: [OPTIONS.secret],
  signature: sha256('x-hub-signature', 'sha256='),
  read: (at) => {
    if (at('test').isTrue) return { topic: 'Bitbucket Server', content: md`Bitbucket Server is connected.` };
    const event = at('eventKey').need;
    if (event === 'repo:refs_changed') return push(at, event);
    const reader = Object.hasOwn(REPOSITORIES, event) ? REPOSITORIES[event] : undefined;
    if (reader) return { event, ...reader(at) };
    const did = Object.hasOwn(REQUESTS, event) ? REQUESTS[event] : undefined;
    if (did === undefined) throw new UnsupportedEvent(event);
    const pr = at('pullRequest');
    const [number, title, isNew] = [`#${pr.at('id').need}`, pr.at('title').text, event === 'pr:opened'];
    return {
      event,
      topic: `${firstOf(pr.at('toRef.repository.name'), 'repository')} / PR ${number} ${title}`,
      content: happened({
        who: who(at),
        did,
        kind: 'PR',
        number,
        title,
        url: pr.at('links.self.0.href').text,
        ...(isNew && { from: pr.at('fromRef.displayId').text, to: pr.at('toRef.displayId').text }),
        body: isNew ? pr.at('description').text : event.endsWith('deleted') ? '' : at('comment.text').text,
      }),
    };
  },
  samples: [
    {
      of: 'A branch is pushed to',
      json: {
        eventKey: 'repo:refs_changed',
        actor,
        repository,
        changes: [
          { ref: { displayId: 'main', type: 'BRANCH' }, toHash: '1bb2a3c4d5e6', type: 'UPDATE' },
          { ref: { displayId: 'v1.2', type: 'TAG' }, type: 'ADD' },
        ],
      },
    },
    ...['added', 'edited', 'deleted'].map((verb) => ({
      of: `A comment on a commit is ${verb}`,
      json: { eventKey: `repo:comment:${verb}`, actor, repository, commit: '1bb2a3c4d5e6', comment },
    })),
    {
      of: 'A repository is forked',
      json: {
        eventKey: 'repo:forked',
        actor,
        repository: { name: 'boats', origin: repository, project: { name: 'Mia' } },
      },
    },
    {
      of: 'A repository is renamed',
      json: { eventKey: 'repo:modified', actor, old: { name: 'rafts' }, new: { name: 'boats' } },
    },
    { of: 'A secret is pushed', json: { eventKey: 'repo:secret_detected', actor, repository } },
    {
      of: 'A mirror has caught up',
      json: {
        eventKey: 'mirror:repo_synchronized',
        mirrorServer: { id: 'B1', name: 'Far harbour' },
        syncType: 'INCREMENTAL',
        refLimitExceeded: false,
        repository,
        changes: [],
      },
    },
    {
      of: 'A project is renamed',
      json: {
        eventKey: 'project:modified',
        actor,
        old: { key: 'FERRY', name: 'Rowing' },
        new: { key: 'FERRY', name: 'Ferry' },
      },
    },
    ...Object.entries(REQUESTS).map(([eventKey, did]) => ({
      of: `Pull requests: ${did} (${eventKey})`,
      json: { eventKey, actor, pullRequest, ...(eventKey.startsWith('pr:comment:') && { comment }), ...MORE[eventKey] },
    })),
  ],
});
