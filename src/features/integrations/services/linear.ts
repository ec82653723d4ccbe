import { lookUp } from '#kernel/lists';
import { type Field, firstOf, oneOf } from '../field.ts';
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

/** Types that have a name, and the word for each. */
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

/** Changes that are not shown: times, positions in lists, copies of texts, and what a report contains. */
const NO_NEWS = /(?:^| )at$|sort order$|board order$|data$|history$|^(?:health|last update|slug|subscriber)$/;

/** Lists the changed fields; for names also the old value. */
const changesOf = (before: Field): readonly string[] =>
  before.members
    .map(([name, value]): readonly [string, string] => [asWords(name.replace(/Ids?$/, '')), value.text])
    .filter(([name]) => !NO_NEWS.test(name))
    .map(([name, old]) => (/^(?:name|title)$/.test(name) && old !== '' ? `${name}, before: ${old}` : name));

/** The title of what was commented on. */
const aboutOf = (it: Field) =>
  firstOf(
    it.at('issue.title'),
    it.at('document.title'),
    it.at('projectUpdate.project.name'),
    it.at('initiativeUpdate.initiative.name'),
    it.at('project.name'),
  );

/** Issues and projects each have a topic for everything about them. */
const topicOfComment = (it: Field) =>
  it.at('issue.title').text === '' ? aboutOf(it) || 'Comments' : `Issue: ${it.at('issue.title').text}`;

function topicOf(it: Field, event: string, kind: string): string {
  const issue = firstOf(it.at('issue.title'), it.at('comment.issue.title'));
  if (issue !== '') return `Issue: ${issue}`;
  return event === 'Project' ? `Project: ${it.at('name').need}` : firstOf(it.at('name'), it.at('title'), kind);
}

const projectFacts = (it: Field) =>
  facts({
    Status: it.at('status.name'),
    Lead: it.at('lead.name'),
    Priority: PRIORITIES[it.at('priority').number ?? 0] ?? '',
    From: it.at('startDate'),
    Until: it.at('targetDate'),
  });
/** Names of project priorities by number; 0 is none. */
const PRIORITIES = ['', 'urgent', 'high', 'medium', 'low'];

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
    const did = lookUp({ create: 'created', update: 'updated', remove: 'deleted' }, action) ?? action;
    const named = (name: string) => link(name, at('url'));
    if (event === 'Issue') {
      const changed = changesOf(at('updatedFrom'));
      const title = `${firstOf(it.at('identifier'), `#${it.at('number').text}`)} ${it.at('title').need}`;
      if (action === 'update' && at('updatedFrom').exists && changed.length === 0) return undefined;
      return {
        event,
        topic: `${it.at('parentId').exists ? 'Sub-Issue' : 'Issue'}: ${it.at('title').need}`,
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
        topic: topicOfComment(it),
        content: noted(
          md`${who} ${action === 'create' ? 'commented' : `${did} a comment`} on ${named(aboutOf(it) || (it.at('documentContentId').exists ? 'a document' : 'something'))}`,
          action === 'remove' ? '' : it.at('body'),
        ),
      };
    if (event === 'ProjectUpdate' || event === 'InitiativeUpdate') {
      const name = oneOf(it.at('project.name'), it.at('initiative.name'));
      const health = asWords(it.at('health').text);
      return {
        event,
        topic: it.at('project.name').text === '' ? name : `Project: ${name}`,
        content: noted(
          md`${who} ${action === 'create' ? 'reported' : `${did} a report`} on ${named(name)}${health === '' ? undefined : md` (${health})`}`,
          action === 'remove' ? '' : it.at('body'),
        ),
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
    const kind = lookUp(NAMED, event);
    if (kind !== undefined) {
      const changed = changesOf(at('updatedFrom'));
      // Changes of a project by a report are in the report's own message.
      if (action === 'update' && at('updatedFrom').exists && changed.length === 0) return undefined;
      const name = oneOf(it.at('name'), it.at('title'), it.at('emoji'), it.at('customer.name'), it.at('number'));
      return {
        event,
        topic: topicOf(it, event, kind),
        content: paragraphs(
          noted(
            md`${who} ${did} the ${kind} ${named(name)}${changed.length === 0 ? undefined : md` (${changed.join(', ')})`}`,
            action === 'remove'
              ? ''
              : firstOf(it.at('body'), it.at('comment.body'), action === 'create' ? it.at('description') : ''),
          ),
          event === 'Project' && action !== 'remove' ? projectFacts(it) : undefined,
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
    {
      of: 'A part of an issue is created',
      json: call('Issue', 'create', {
        ...issueData,
        number: 8,
        identifier: 'BOAT-8',
        title: 'Buy tar',
        parentId: 'i1',
      }),
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
    {
      of: 'A report is edited',
      json: call(
        'ProjectUpdate',
        'update',
        { body: 'Under sail again.', health: 'onTrack', project: { name: 'Launch' } },
        { updatedFrom: { body: 'Under sail.', editedAt: null } },
      ),
    },
    {
      of: 'A project changes',
      json: call(
        'Project',
        'update',
        {
          name: 'Launch',
          description: 'A ship for the north.',
          priority: 2,
          startDate: '2026-11-20',
          targetDate: '2026-12-04',
          status: { id: 's2', name: 'In Progress', type: 'started' },
          lead: { id: 'u1', name: 'Mia Member' },
        },
        { updatedFrom: { statusId: 's1', startedAt: null, updatedAt: '2026-11-20T10:00:00.000Z' } },
      ),
    },
    {
      of: 'A document is commented on',
      json: call('Comment', 'create', {
        id: 'c2',
        body: 'A bowline is better.',
        documentContentId: 'd1',
        quotedText: 'A knot',
        userId: 'u1',
        user: { id: 'u1', name: 'Mia Member' },
      }),
    },
    {
      of: 'An issue is renamed',
      json: {
        ...call('Issue', 'update', issueData),
        actor: undefined,
        updatedFrom: { updatedAt: '2026-11-20T10:00:00.000Z', title: 'A leak', descriptionData: '{}' },
      },
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
