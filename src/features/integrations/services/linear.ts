import { firstOf, oneOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS } from '../integration.ts';
import { bold, facts, link, md, paragraphs } from '../markdown.ts';
import { sha256 } from '../signature.ts';
import { asWords, mark, noted, person } from '../words/index.ts';

const issueData = {
  id: 'i1',
  identifier: 'BOAT-7',
  number: 7,
  title: 'The keel leaks',
  description: 'Below the bench.',
  priorityLabel: 'Urgent',
  state: { name: 'Todo' },
  team: { key: 'BOAT', name: 'Boats' },
  assignee: { name: 'Max Member' },
  creator: { name: 'Mia Member' },
};
const call = (type: string, action: string, data: object, more: object = {}) => ({
  type,
  action,
  actor: { name: 'Mia Member' },
  url: 'https://linear.example/ferry/issue/BOAT-7',
  data,
  ...more,
});

/** Kinds of which it is said what they are called. */
const NAMED: Readonly<Record<string, string>> = {
  Attachment: 'attachment',
  Customer: 'customer',
  CustomerNeed: 'customer request',
  Cycle: 'cycle',
  Document: 'document',
  Initiative: 'initiative',
  IssueLabel: 'label',
  Project: 'project',
  Reaction: 'reaction',
  User: 'account of',
};

export const linear = integration({
  name: 'linear',
  title: 'Linear',
  category: 'Projects',
  setUp:
    'In Linear open Settings, API, Webhooks, New webhook. Paste the address as URL and choose issues and comments.',
  events: ['Issue', 'IssueSLA', 'Comment', 'ProjectUpdate', 'InitiativeUpdate', ...Object.keys(NAMED)],
  options: [OPTIONS.secret],
  signature: sha256('linear-signature'),
  read: (at) => {
    const [event, action] = [at('type').need, at('action').need];
    const it = at('data');
    const who = firstOf(at('actor.name'), person(it.at('user')), person(it.at('creator')), 'Somebody');
    const did = { create: 'created', update: 'updated', remove: 'deleted' }[action] ?? action;
    const named = (name: string) => link(name, at('url'));
    if (event === 'Issue') {
      const changed = at('updatedFrom')
        .members.map(([name]) => asWords(name.replace(/Id$/, '')))
        .filter(
          (name) =>
            !/^(updated at|sort order|.*at|board order|sub issue sort order|priority)$/.test(name) ||
            name === 'priority',
        );
      const title = `${firstOf(it.at('identifier'), `#${it.at('number').text}`)} ${it.at('title').need}`;
      if (action === 'update' && at('updatedFrom').exists && changed.length === 0) return undefined;
      return {
        event,
        topic: it.at('title').need,
        content: paragraphs(
          noted(
            md`${who} ${did} the issue ${named(title)}${changed.length === 0 ? undefined : md` (${changed.join(', ')})`}`,
            action === 'create' ? it.at('description') : '',
          ),
          facts({
            Team: it.at('team.name'),
            State: it.at('state.name'),
            Priority: it.at('priorityLabel'),
            'Assigned to': it.at('assignee.name'),
          }),
        ),
      };
    }
    if (event === 'Comment')
      return {
        event,
        topic: it.at('issue.title').need,
        content: noted(
          md`${who} ${action === 'create' ? 'commented' : `${did} a comment`} on ${named(it.at('issue.title').need)}`,
          action === 'remove' ? '' : it.at('body'),
        ),
      };
    if (event === 'ProjectUpdate' || event === 'InitiativeUpdate') {
      const name = oneOf(it.at('project.name'), it.at('initiative.name'));
      return {
        event,
        topic: name,
        content: noted(md`${who} reported on ${named(name)} (${asWords(it.at('health').text)})`, it.at('body')),
      };
    }
    if (event === 'IssueSLA') {
      const title = at('issueData.title').need;
      return {
        event,
        topic: title,
        content: md`${mark(action === 'set' ? 'note' : 'bad')} The time to resolve ${named(`${at('issueData.identifier').text} ${title}`.trim())}: ${bold(asWords(action))}.`,
      };
    }
    const kind = Object.hasOwn(NAMED, event) ? NAMED[event] : undefined;
    if (kind !== undefined) {
      const name = oneOf(it.at('name'), it.at('title'), it.at('emoji'), it.at('customer.name'), it.at('number'));
      return {
        event,
        topic: firstOf(it.at('issue.title'), it.at('comment.issue.title'), it.at('name'), it.at('title'), kind),
        content: noted(
          md`${who} ${did} the ${kind} ${named(name)}`,
          action === 'remove' ? '' : firstOf(it.at('body'), it.at('comment.body')),
        ),
      };
    }
    throw new UnsupportedEvent(event);
  },
  samples: [
    { of: 'An issue is created', json: call('Issue', 'create', issueData) },
    {
      of: 'An issue changes',
      json: call('Issue', 'update', issueData, { updatedFrom: { updatedAt: '2026-11-20', stateId: 's1' } }),
    },
    { of: 'An issue is deleted', json: call('Issue', 'remove', issueData) },
    {
      of: 'An issue is commented on',
      json: call('Comment', 'create', { body: 'Tar helps.', issue: { id: 'i1', title: 'The keel leaks' } }),
    },
    { of: 'A project is created', json: call('Project', 'create', { name: 'Launch' }) },
    {
      of: 'A project is reported on',
      json: call('ProjectUpdate', 'create', { body: 'Under sail.', health: 'onTrack', project: { name: 'Launch' } }),
    },
    { of: 'A cycle begins', json: call('Cycle', 'create', { number: 4 }) },
    {
      of: 'An initiative is reported on',
      json: call('InitiativeUpdate', 'create', {
        body: 'Two harbours of three.',
        health: 'atRisk',
        initiative: { id: 'n1', name: 'Sail north' },
      }),
    },
    { of: 'An initiative is created', json: call('Initiative', 'create', { id: 'n1', name: 'Sail north' }) },
    {
      of: 'A file is attached',
      json: call('Attachment', 'create', {
        title: 'plan.pdf',
        url: 'https://ferry.example/plan.pdf',
        issueId: 'i1',
        issue: { id: 'i1', title: 'The keel leaks' },
      }),
    },
    {
      of: 'A label is renamed',
      json: call('IssueLabel', 'update', { name: 'leak' }, { updatedFrom: { name: 'hole' } }),
    },
    {
      of: 'Somebody reacts',
      json: call('Reaction', 'create', {
        emoji: '+1',
        commentId: 'c1',
        comment: { id: 'c1', body: 'Tar helps.' },
        user: { id: 'u1', name: 'Mia Member' },
      }),
    },
    { of: 'A document is deleted', json: call('Document', 'remove', { title: 'Knots', projectId: 'p1' }) },
    {
      of: 'A customer is added',
      json: call('Customer', 'create', { name: 'Harbour office', domains: ['port.example'] }),
    },
    {
      of: 'A customer asks for something',
      json: call('CustomerNeed', 'create', {
        body: 'A ferry at night.',
        customer: { id: 'cu1', name: 'Harbour office' },
        issue: { id: 'i1', title: 'The keel leaks' },
      }),
    },
    {
      of: 'Somebody joins',
      json: call('User', 'create', { name: 'Gus Guest', email: 'gus@ferry.example', active: true }),
    },
    {
      of: 'An issue took too long',
      json: {
        type: 'IssueSLA',
        action: 'breached',
        issueData,
        url: 'https://linear.example/ferry/issue/BOAT-7',
        createdAt: '2026-11-20T10:00:00.000Z',
      },
    },
  ],
});
