import { type At, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS, type Said } from '../integration.ts';
import { code, md } from '../markdown.ts';
import { sha256 } from '../signature.ts';
import { asWords, happened, noted, person } from '../words/index.ts';

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
  'pr:reviewer:updated': 'changed the reviewers of',
  'pr:from_ref_updated': 'pushed commits to',
  'pr:comment:added': 'commented on',
  'pr:comment:edited': 'edited a comment on',
  'pr:comment:deleted': 'deleted a comment on',
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

export const bitbucket3 = integration({
  name: 'bitbucket3',
  title: 'Bitbucket Server',
  category: 'Code',
  setUp: 'In the repository open Repository settings, Webhooks, Create webhook, and paste the address as URL.',
  events: [
    'repo:refs_changed',
    'repo:comment:added',
    'repo:forked',
    'repo:modified',
    'pr:opened',
    'pr:merged',
    'pr:reviewer:approved',
    'pr:comment:added',
  ],
  options: [OPTIONS.secret],
  signature: sha256('x-hub-signature', 'sha256='),
  read: (at) => {
    if (at('test').isTrue) return { topic: 'Bitbucket Server', content: md`Bitbucket Server is connected.` };
    const event = at('eventKey').need;
    if (event === 'repo:refs_changed') return push(at, event);
    const topic = at('repository.name').text;
    if (event.startsWith('repo:comment:'))
      return {
        event,
        topic,
        content: noted(
          md`${who(at)} ${asWords(event.slice('repo:comment:'.length))} a comment on ${code(at('commit').need.slice(0, 7))}`,
          at('comment.text'),
        ),
      };
    if (event === 'repo:forked')
      return {
        event,
        topic: at('repository.origin.name').text,
        content: md`${who(at)} forked ${at('repository.origin.name')} to ${at('repository.project.name')}.`,
      };
    if (event === 'repo:modified')
      return {
        event,
        topic: at('new.name').text,
        content: md`${who(at)} renamed the repository ${at('old.name')} to ${at('new.name')}.`,
      };
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
    {
      of: 'A commit is commented on',
      json: {
        eventKey: 'repo:comment:added',
        actor,
        repository,
        commit: '1bb2a3c4d5e6',
        comment: { text: 'Tar helps.' },
      },
    },
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
    { of: 'A pull request is opened', json: { eventKey: 'pr:opened', actor, pullRequest } },
    { of: 'A pull request is merged', json: { eventKey: 'pr:merged', actor, pullRequest } },
    { of: 'A pull request is approved', json: { eventKey: 'pr:reviewer:approved', actor, pullRequest } },
    {
      of: 'A pull request is commented on',
      json: { eventKey: 'pr:comment:added', actor, pullRequest, comment: { text: 'Tar helps.' } },
    },
  ],
});
