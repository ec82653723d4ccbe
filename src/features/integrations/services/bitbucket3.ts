import { lookUp } from '#kernel/lists';
import { type At, type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS, type Said } from '../integration.ts';
import { code, link, type Markdown, md } from '../markdown.ts';
import { sha256 } from '../signature.ts';
import { happened, mark, noted, person } from '../words/index.ts';

const home = 'https://bitbucket.example/projects/FERRY/repos/boats';
const repository = {
  name: 'boats',
  project: { key: 'FERRY', name: 'Ferry' },
  links: { self: [{ href: `${home}/browse` }] },
};
const actor = { displayName: 'Mia Member', name: 'mia' };
const pullRequest = {
  id: 12,
  title: 'Row faster',
  description: 'Four oars.',
  fromRef: { displayId: 'oars' },
  toRef: { displayId: 'main', repository },
  reviewers: [{ user: { displayName: 'Max Member', name: 'max' }, role: 'REVIEWER', approved: false }],
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
/** Additional fields of single events. */
const MORE: Readonly<Record<string, object>> = {
  'pr:modified': { previousTitle: 'Row', previousDescription: 'Two oars.', previousTarget: { displayId: 'main' } },
  'pr:reviewer:approved': { participant: reviewer, previousStatus: 'UNAPPROVED' },
  'pr:reviewer:updated': {
    addedReviewers: [reviewer.user],
    removedReviewers: [{ displayName: 'Gus Guest', name: 'gus' }],
  },
  'pr:from_ref_updated': { previousFromHash: '99f3ea32043ba3ecaa28de6046b420de70257d80' },
};

const who = (at: At) => person(at('actor')) || 'Somebody';

/** A repository's address, without the path of its file view. */
const homeOf = (it: Field) => it.at('links.self.0.href').text.replace(/\/browse\/?$/, '');
const under = (home: string, path: string) => (home === '' ? '' : `${home}/${path}`);
const commitAt = (home: string, hash: string) => link(code(hash.slice(0, 7)), under(home, `commits/${hash}`));

function push(at: At, event: string): readonly Said[] {
  const name = firstOf(at('repository.name'), 'repository');
  const home = homeOf(at('repository'));
  return at('changes').list.map((change) => {
    const ref = change.at('ref.displayId').need;
    const verb = lookUp({ ADD: 'created', DELETE: 'deleted' }, change.at('type').text) ?? 'pushed to';
    const isGone = verb === 'deleted';
    const full = firstOf(change.at('refId'), change.at('ref.id'), ref);
    const shown = link(ref, isGone ? '' : under(home, `browse?at=${encodeURIComponent(full)}`));
    if (change.at('ref.type').text === 'TAG')
      return { event, topic: name, content: md`${who(at)} ${isGone ? 'removed' : 'pushed'} the tag ${shown}.` };
    const [from, to] = [change.at('fromHash').text, change.at('toHash').text];
    const difference = under(home, `compare/commits?targetBranch=${from}&sourceBranch=${to}`);
    const did = verb === 'pushed to' && from !== '' ? md`${link('pushed', difference)} to` : md`${verb}`;
    const head = isGone ? md`.` : md`. Head is now ${commitAt(home, change.at('toHash').need)}.`;
    return { event, topic: `${name} / ${ref}`, content: md`${who(at)} ${did} the branch ${shown}${head}` };
  });
}

/** Address of a pull request, or of the comment. */
function addressOf(at: At): string {
  const [home, id] = [at('pullRequest.links.self.0.href').text, at('comment.id').text];
  return home === '' || id === '' || at('eventKey').text.endsWith('deleted')
    ? home
    : `${home}/overview?commentId=${id}`;
}

/** Details of a change of a pull request. */
function detail(at: At, event: string): Markdown | undefined {
  const pr = at('pullRequest');
  const names = (list: readonly Field[]) => list.map((one) => person(one)).filter((name) => name !== '');
  const told = (word: string, all: readonly string[]) => (all.length > 0 ? [`${word} ${all.join(', ')}`] : []);
  const about: readonly string[] =
    event === 'pr:reviewer:updated'
      ? [...told('added', names(at('addedReviewers').list)), ...told('removed', names(at('removedReviewers').list))]
      : event === 'pr:opened'
        ? told('to be reviewed by', names(pr.at('reviewers').list.map((one) => one.at('user'))))
        : event === 'pr:modified'
          ? changedOf(at)
          : [];
  return about.length > 0 ? md`(${about.join('; ')})` : undefined;
}

function changedOf(at: At): readonly string[] {
  const [pr, target] = [at('pullRequest'), at('previousTarget.displayId').text];
  const isOther = (before: string, now: string) =>
    at(before).exists && plainLines(at(before)) !== plainLines(pr.at(now));
  return [
    ...(isOther('previousTitle', 'title') ? [`title, which was “${at('previousTitle').text}”`] : []),
    ...(isOther('previousDescription', 'description') ? ['description'] : []),
    ...(target !== '' && target !== pr.at('toRef.displayId').text ? [`target, which was ${target}`] : []),
  ];
}

const plainLines = (field: Field) => field.text.trim();

type Reader = (at: At) => Pick<Said, 'topic' | 'content'>;
const commented =
  (did: string): Reader =>
  (at) => ({
    topic: at('repository.name').text,
    content: noted(
      md`${who(at)} ${did} on ${commitAt(homeOf(at('repository')), at('commit').need)}`,
      did.startsWith('deleted') ? '' : at('comment.text'),
    ),
  });

/** A link to a repository, with its project's name. */
const repositoryAt = (it: Field) =>
  link(`${it.at('project.name').text}/${it.at('name').need}`, it.at('links.self.0.href'));

/** Readers of events about repositories and projects, except pushes. */
const REPOSITORIES: Readonly<Record<string, Reader>> = {
  'repo:refs_changed': (at) => ({ topic: at('repository.name').text, content: md`${who(at)} pushed.` }),
  'repo:comment:added': commented('commented'),
  'repo:comment:edited': commented('edited a comment'),
  'repo:comment:deleted': commented('deleted a comment'),
  'repo:forked': (at) => ({
    topic: at('repository.origin.name').text,
    content: md`${who(at)} forked ${repositoryAt(at('repository.origin'))} to ${repositoryAt(at('repository'))}.`,
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
    // The service's documentation uses both prefixes for events of projects.
    const event = at('eventKey').need.replace(/^proj:/, 'project:');
    if (event === 'repo:refs_changed') return push(at, event);
    const reader = lookUp(REPOSITORIES, event);
    if (reader) return { event, ...reader(at) };
    const did = lookUp(REQUESTS, event);
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
        url: addressOf(at),
        ...(isNew && { from: pr.at('fromRef.displayId').text, to: pr.at('toRef.displayId').text }),
        rest: detail(at, event),
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
          {
            ref: { id: 'refs/heads/main', displayId: 'main', type: 'BRANCH' },
            refId: 'refs/heads/main',
            fromHash: '99f3ea32043ba3ecaa28de6046b420de70257d80',
            toHash: '1bb2a3c4d5e6f708192a3b4c5d6e7f8091a2b3c4',
            type: 'UPDATE',
          },
          {
            ref: { id: 'refs/tags/v1.2', displayId: 'v1.2', type: 'TAG' },
            refId: 'refs/tags/v1.2',
            fromHash: '0000000000000000000000000000000000000000',
            toHash: '1bb2a3c4d5e6f708192a3b4c5d6e7f8091a2b3c4',
            type: 'ADD',
          },
          {
            ref: { id: 'refs/heads/oars', displayId: 'oars', type: 'BRANCH' },
            refId: 'refs/heads/oars',
            fromHash: '1bb2a3c4d5e6f708192a3b4c5d6e7f8091a2b3c4',
            toHash: '0000000000000000000000000000000000000000',
            type: 'DELETE',
          },
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
        repository: {
          name: 'boats',
          origin: repository,
          project: { key: '~MIA', name: 'Mia Member', type: 'PERSONAL' },
          links: { self: [{ href: 'https://bitbucket.example/users/mia/repos/boats/browse' }] },
        },
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
