import { lookUp } from '#kernel/lists';
import { type At, Field, firstOf } from '../field.ts';
import type { Said } from '../integration.ts';
import { link, type Markdown, md } from '../markdown.ts';
import { asWords, happened, person } from '../words/index.ts';
import { type Reader, repository, thing, who } from './common.ts';

/** Actions on pull requests and issues that need no message. */
const QUIET = new Set(['enqueued', 'dequeued', 'pinned', 'unpinned', 'subscribed', 'typed', 'untyped']);

/** Readers of events about pull requests, issues and discussions. */
export const THREADS: Readonly<Record<string, Reader>> = {
  pull_request: pullRequest,
  pull_request_review: review,
  pull_request_review_comment: (at) => comment(at, 'pull_request', 'PR'),
  pull_request_review_thread: (at) =>
    thing(at, 'pull_request', { kind: 'PR', did: md`${asWords(at('action').need)} a thread of` }),
  issues: issue,
  sub_issues: subIssue,
  issue_comment: (at) => comment(at, 'issue', at('issue.pull_request').exists ? 'PR' : 'issue'),
  discussion: discussion,
  discussion_comment: (at) => comment(at, 'discussion', 'discussion'),
};

function comment(at: At, path: string, kind: string): Said | undefined {
  const action = at('action').need;
  // An edit that did not change the text needs no message.
  if (action === 'edited' && at('changes.body.from').exists && at('changes.body.from').text === at('comment.body').text)
    return undefined;
  const did = action === 'created' ? 'commented' : `${action} a ${path === 'pull_request' ? 'review ' : ''}comment`;
  const body = action === 'deleted' ? '' : at('comment.body').text;
  return thing(at, path, { kind, did: md`${link(did, at('comment.html_url'))} on`, body });
}

/** Verbs for actions on discussions whose own name does not fit into a sentence. */
const DISCUSSED: Readonly<Record<string, string>> = {
  category_changed: 'changed the category of',
  unanswered: 'took the answer from',
  answered: 'marked an answer to',
};

function discussion(at: At): Said | undefined {
  const action = at('action').need;
  if (QUIET.has(action)) return undefined;
  const body = action === 'created' || at('changes.body').exists ? at('discussion.body').text : '';
  const did = lookUp(DISCUSSED, action) ?? asWords(action);
  return thing(at, 'discussion', { kind: 'discussion', did, body, rest: detail(at, action) });
}

function issue(at: At): Said | undefined {
  const action = at('action').need;
  if (QUIET.has(action)) return undefined;
  const body = action === 'opened' || at('changes.body').exists ? at('issue.body').text : '';
  return thing(at, 'issue', { kind: 'issue', did: asWords(action), body, rest: detail(at, action) });
}

/** GitHub sends two events, one for each issue; only that of the parent makes a message. */
function subIssue(at: At): Said | undefined {
  const action = at('action').need;
  if (!action.startsWith('sub_issue_')) return undefined;
  const sub = at('sub_issue');
  const did = md`${action === 'sub_issue_added' ? 'added' : 'took away'} ${link(`#${sub.at('number').need} ${sub.at('title').text}`, sub.at('html_url'))} ${action === 'sub_issue_added' ? 'to' : 'from'}`;
  return thing(at, 'parent_issue', { kind: 'issue', did });
}

/** Names of people or teams. */
const names = (...lists: readonly Field[]) =>
  lists
    .flatMap(({ list }) => list.map((one) => firstOf(one.at('login'), one.at('name'))))
    .filter((name) => name !== '');

/** What was changed other than the text. */
function edited(at: At): Markdown | undefined {
  const [title, target] = [at('changes.title.from').text, at('changes.base.ref.from').text];
  if (title !== '') return md`(the title was “${title}”)`;
  return target === '' ? undefined : md`(its target was ${target})`;
}

/** The reviewer that an event names, or all of the pull request's. */
function reviewers(at: At): string {
  const one = firstOf(person(at('requested_reviewer')), at('requested_team.name'));
  return one || names(at('pull_request.requested_reviewers'), at('pull_request.requested_teams')).join(', ');
}

/** Details of a change: whom or what it affects. */
function detail(at: At, action: string): Markdown | undefined {
  if (action === 'edited') return edited(at);
  if (action === 'opened') {
    const assigned = names(at('pull_request.assignees'), at('issue.assignees'));
    return assigned.length > 0 ? md`(assigned to ${assigned.join(', ')})` : undefined;
  }
  if (action === 'transferred') {
    const to = at('changes.new_repository.full_name').text;
    const place = firstOf(at('changes.new_issue.html_url'), at('changes.new_discussion.html_url'));
    return to === '' ? undefined : md`(to ${link(to, place)})`;
  }
  if (action === 'category_changed') return md`(to ${at('discussion.category.name').text || 'another'})`;
  if (action.endsWith('assigned')) return md`(${person(at('assignee'))})`;
  if (action.endsWith('labeled')) return md`(${at('label.name').text})`;
  if (action.endsWith('milestoned')) return md`(${at('milestone.title').text})`;
  if (action.startsWith('review_request')) return md`(${reviewers(at) || 'nobody'})`;
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
  const did = action === 'closed' ? closed : (lookUp(DONE, action) ?? asWords(action));
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

function review(at: At): Said | undefined {
  const changes = at('changes');
  if (at('action').text === 'edited' && changes.exists && changes.members.length === 0) return undefined;
  const state = at('review.state').text;
  const did =
    lookUp(
      { approved: 'approved', changes_requested: 'asked for changes in', dismissed: 'dismissed a review of' },
      state,
    ) ?? 'reviewed';
  const reviewed = link(at('action').text === 'edited' ? 'edited a review of' : did, at('review.html_url'));
  return thing(at, 'pull_request', { kind: 'PR', did: reviewed, body: at('review.body').text });
}
