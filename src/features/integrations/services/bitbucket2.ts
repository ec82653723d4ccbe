import { lookUp } from '#kernel/lists';
import { type At, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { type Call, integration, OPTIONS, type Said, type Sample } from '../integration.ts';
import { facts, lines, link, type Markdown, md, paragraphs } from '../markdown.ts';
import { sha256 } from '../signature.ts';
import {
  asWords,
  built,
  type Happening,
  happened,
  isBranchWanted,
  noted,
  person,
  pushed,
  withoutAddress,
} from '../words/index.ts';

const home = 'https://bitbucket.org/ferry/boats';
const repository = { name: 'boats', full_name: 'ferry/boats', links: { html: { href: home } }, is_private: false };
const actor = { display_name: 'Mia Member', nickname: 'mia' };
const pullrequest = {
  id: 12,
  title: 'Row faster',
  description: 'Four oars.',
  links: { html: { href: `${home}/pull-requests/12` } },
  reviewers: [{ display_name: 'Max Member', nickname: 'max' }],
  source: { branch: { name: 'oars' } },
  destination: { branch: { name: 'main' } },
};
const issue = {
  id: 7,
  title: 'The keel leaks',
  content: { raw: 'Below the bench.' },
  links: { html: { href: `${home}/issues/7` } },
};
const comment = { content: { raw: 'Tar helps.' }, links: { html: { href: `${home}/comments/1` } } };
const commit = {
  hash: '1bb2a3c4d5e6f708192a',
  message: 'Caulk the seams\n',
  links: { html: { href: `${home}/commits/1bb2a3c` } },
  author: { raw: 'Mia <mia@ferry.example>', user: actor },
};

const who = (at: At) => person(at('actor')) || 'Somebody';
const REQUESTS: Readonly<Record<string, string>> = {
  created: 'created',
  updated: 'updated',
  approved: 'approved',
  unapproved: 'withdrew the approval of',
  fulfilled: 'merged',
  rejected: 'declined',
  changes_request_created: 'asked for changes in',
  changes_request_removed: 'no longer asks for changes in',
};
const COMMENTS: Readonly<Record<string, string>> = {
  comment_created: 'commented',
  comment_updated: 'edited a comment',
  comment_deleted: 'deleted a comment',
  comment_resolved: 'resolved a comment',
  comment_reopened: 'reopened a comment',
};

const by = { date: '2026-11-20T10:00:00+00:00', user: actor };
/** Additional fields of single events. */
const REQUESTED: Readonly<Record<string, object>> = {
  approved: { approval: by },
  unapproved: { approval: by },
  changes_request_created: { changes_request: by },
  changes_request_removed: { changes_request: by },
  rejected: { pullrequest: { ...pullrequest, state: 'DECLINED', reason: 'Two oars are enough.' } },
};

function thing(
  at: At,
  path: 'issue' | 'pullrequest',
  news: Omit<Happening, 'who' | 'kind' | 'number' | 'title' | 'url'>,
): Said {
  const kind = path === 'issue' ? 'issue' : 'PR';
  const [number, title] = [`#${at(`${path}.id`).need}`, at(`${path}.title`).text];
  return {
    topic: `${at('repository.name').need} / ${kind} ${number} ${title}`,
    content: happened({ ...news, who: who(at), kind, number, title, url: at(`${path}.links.html.href`).text }),
  };
}

function push(at: At, { option }: Call): readonly Said[] {
  return at('push.changes').list.flatMap((change) => {
    const ref = change.at('new').exists ? change.at('new') : change.at('old');
    const branch = ref.at('name').need;
    if (ref.at('type').text === 'tag')
      return [
        {
          event: 'repo:push',
          topic: at('repository.name').need,
          content: md`${who(at)} ${change.at('closed').isTrue ? 'removed' : 'pushed'} the tag ${link(branch, ref.at('links.html.href'))}.`,
        },
      ];
    if (!isBranchWanted(option('branches'), branch)) return [];
    const commits = change.at('commits').list.map((one) => ({
      sha: one.at('hash').text,
      url: one.at('links.html.href').text,
      message: one.at('message').text,
      author: firstOf(person(one.at('author.user')), withoutAddress(one.at('author.raw').text)),
    }));
    const kind = change.at('closed').isTrue
      ? 'deleted'
      : change.at('forced').isTrue
        ? 'forced'
        : change.at('created').isTrue
          ? 'created'
          : undefined;
    return [
      {
        event: 'repo:push',
        topic: `${at('repository.name').need} / ${branch}`,
        content: pushed({
          who: who(at),
          branch,
          url: firstOf(change.at('links.html.href'), ref.at('links.html.href')),
          commits,
          count: change.at('truncated').isTrue ? undefined : commits.length,
          change: kind,
        }),
      },
    ];
  });
}

const commitAt = (at: At, hash: string) => `${at('repository.links.html.href').text}/commits/${hash}`;

/** A build's description and its commit; the commit's hash may be only in a link. */
function builtOf(at: At): Markdown {
  const it = at('commit_status');
  const [, named = ''] = /\/commits?\/([0-9a-f]{7,64})$/.exec(it.at('links.commit.href').text) ?? [];
  const hash = firstOf(it.at('commit.hash'), named);
  const branch = it.at('refname').text;
  const of = hash === '' ? undefined : md`Commit ${link(hash.slice(0, 7), commitAt(at, hash))}`;
  const said = it.at('description').text.replace(/\.$/, '');
  return lines(
    [said === '' ? undefined : md`${said}.`, of && md`${of}${branch === '' ? undefined : md` on ${branch}`}.`],
    ' ',
  );
}

/** Changes of an issue, by field. */
function changesOf(at: At): Markdown {
  const changes = at('changes').members.map(([name, change]) => {
    const [before, after] = [firstOf(change.at('old'), 'none'), firstOf(change.at('new'), 'none')];
    return [asWords(name), `${before} → ${after}`] as const;
  });
  return facts(Object.fromEntries(changes));
}

function read(at: At, call: Call): Said | readonly Said[] {
  const event = call.header('x-event-key');
  const [group = '', action = ''] = event.split(':', 2);
  const comment = lookUp(COMMENTS, action);
  const commented = comment && md`${link(comment, at('comment.links.html.href'))} on`;
  const body = action === 'comment_deleted' ? '' : at('comment.content.raw').text;
  const reviewers = at('pullrequest.reviewers').list.map(person).join(', ');
  const branches = {
    from: at('pullrequest.source.branch.name').text,
    to: at('pullrequest.destination.branch.name').text,
    rest: reviewers === '' ? undefined : md`(to be reviewed by ${reviewers})`,
  };
  if (group === 'pullrequest' && commented) return { event, ...thing(at, 'pullrequest', { did: commented, body }) };
  const did = lookUp(REQUESTS, action);
  if (group === 'pullrequest' && did !== undefined)
    return {
      event,
      ...thing(at, 'pullrequest', {
        did,
        body: at(action === 'created' ? 'pullrequest.description' : 'pullrequest.reason').text,
        ...(action === 'created' && branches),
      }),
    };
  if (group === 'issue' && commented) return { event, ...thing(at, 'issue', { did: commented, body }) };
  if (group === 'issue') {
    const text = action === 'created' ? at('issue.content.raw').text : '';
    const said = thing(at, 'issue', { did: asWords(action), body: text });
    return { event, ...said, content: paragraphs(said.content, changesOf(at)) };
  }
  const topic = at('repository.name').text;
  switch (event) {
    case 'repo:push':
      return push(at, call);
    case 'repo:fork':
      return {
        event,
        topic,
        content: md`${who(at)} forked ${link(at('repository.full_name'), at('repository.links.html.href'))} to ${link(at('fork.full_name'), at('fork.links.html.href'))}.`,
      };
    case 'repo:commit_comment_created':
      return {
        event,
        topic,
        content: noted(
          md`${who(at)} ${link('commented', at('comment.links.html.href'))} on ${link(at('commit.hash').need.slice(0, 7), firstOf(at('commit.links.html.href'), at('comment.commit.links.html.href'), commitAt(at, at('commit.hash').need)))}`,
          at('comment.content.raw'),
        ),
      };
    case 'repo:commit_status_created':
    case 'repo:commit_status_updated':
      return {
        event,
        topic,
        content: built({
          what: at('commit_status.name').text || at('commit_status.key').need,
          url: at('commit_status.url'),
          state: at('commit_status.state').need,
          rest: builtOf(at),
        }),
      };
    case 'repo:transfer':
      return {
        event,
        topic,
        content: md`${who(at)} took over ${link(at('repository.full_name'), at('repository.links.html.href'))} from ${firstOf(at('previous_workspace.name'), at('previous_workspace.slug'), 'somebody')}.`,
      };
    case 'repo:updated':
      return {
        event,
        topic,
        content: paragraphs(
          md`${who(at)} changed the repository ${link(at('repository.full_name'), at('repository.links.html.href'))}:`,
          facts(Object.fromEntries(at('changes').members.map(([name, change]) => [name, change.at('new')]))),
        ),
      };
    default:
      throw new UnsupportedEvent(event);
  }
}

const of = (what: string, event: string, json: object): Sample => ({
  of: what,
  headers: { 'x-event-key': event },
  json: { repository, actor, ...json },
});

export const bitbucket2 = integration({
  name: 'bitbucket2',
  title: 'Bitbucket',
  category: 'Code',
  setUp:
    'In the repository open Repository settings, Webhooks, Add webhook. Paste the address as URL and choose the triggers.',
  events: [
    'repo:push',
    'repo:fork',
    'repo:updated',
    'repo:transfer',
    'repo:commit_comment_created',
    'repo:commit_status_created',
    'repo:commit_status_updated',
    ...[...Object.keys(REQUESTS), ...Object.keys(COMMENTS)].map((action) => `pullrequest:${action}`),
    'issue:created',
    'issue:updated',
    'issue:comment_created',
  ],
  options: [OPTIONS.branches, OPTIONS.secret],
  signature: sha256('x-hub-signature', 'sha256='),
  read,
  samples: [
    of('Commits are pushed', 'repo:push', {
      push: {
        changes: [
          {
            new: { type: 'branch', name: 'main' },
            links: { html: { href: `${home}/branches/compare/1bb..0aa` } },
            commits: [commit],
          },
        ],
      },
    }),
    of('A branch is deleted', 'repo:push', {
      push: { changes: [{ new: null, old: { type: 'branch', name: 'oars' }, closed: true, commits: [] }] },
    }),
    of('A tag is pushed', 'repo:push', {
      push: {
        changes: [
          { new: { type: 'tag', name: 'v1.2', links: { html: { href: `${home}/commits/tag/v1.2` } } }, commits: [] },
        ],
      },
    }),
    of('A repository is forked', 'repo:fork', { fork: repository }),
    of('A repository changes', 'repo:updated', { changes: { name: { old: 'rafts', new: 'boats' } } }),
    of('A commit is commented on', 'repo:commit_comment_created', { comment, commit }),
    of('A build ends', 'repo:commit_status_created', {
      commit_status: {
        name: 'Tests',
        key: 't',
        state: 'SUCCESSFUL',
        url: 'https://ci.ferry.example/1',
        description: 'All float',
        type: 'build',
        links: { commit: { href: `https://api.bitbucket.org/2.0/repositories/ferry/boats/commit/${commit.hash}` } },
      },
    }),
    of('A build went on', 'repo:commit_status_updated', {
      commit_status: {
        name: 'Tests',
        key: 't',
        state: 'FAILED',
        url: 'https://ci.ferry.example/1',
        description: 'One sank',
        type: 'build',
        refname: 'oars',
        commit: { type: 'commit', hash: commit.hash },
        links: { commit: { href: `https://api.bitbucket.org/2.0/repositories/ferry/boats/commit/${commit.hash}` } },
      },
    }),
    of('A repository is handed over', 'repo:transfer', { previous_workspace: { name: 'Rowing', slug: 'rowing' } }),
    ...Object.entries(REQUESTS).map(([action, did]) =>
      of(`A pull request: ${did}`, `pullrequest:${action}`, { pullrequest, ...REQUESTED[action] }),
    ),
    ...Object.entries(COMMENTS).map(([action, did]) =>
      of(`On a pull request: ${did}`, `pullrequest:${action}`, { pullrequest, comment }),
    ),
    of('An issue is created', 'issue:created', { issue }),
    of('An issue changes', 'issue:updated', {
      issue,
      comment,
      changes: { status: { old: 'open', new: 'on hold' }, priority: { old: 'minor', new: 'blocker' } },
    }),
    of('An issue is commented on', 'issue:comment_created', { issue, comment }),
  ],
});
