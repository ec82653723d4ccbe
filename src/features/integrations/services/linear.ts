import { firstOf, oneOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS } from '../integration.ts';
import { facts, link, md, paragraphs } from '../markdown.ts';
import { sha256 } from '../signature.ts';
import { asWords, noted, person } from '../words/index.ts';

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

export const linear = integration({
  name: 'linear',
  title: 'Linear',
  category: 'Projects',
  setUp:
    'In Linear open Settings, API, Webhooks, New webhook. Paste the address as URL and choose issues and comments.',
  events: ['Issue', 'Comment', 'Project', 'ProjectUpdate', 'Cycle'],
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
    if (event === 'Project' || event === 'Cycle')
      return {
        event,
        topic: it.at('name').text || event,
        content: md`${who} ${did} the ${event.toLowerCase()} ${named(oneOf(it.at('name'), it.at('number')))}.`,
      };
    if (event === 'ProjectUpdate')
      return {
        event,
        topic: it.at('project.name').need,
        content: noted(
          md`${who} reported on ${named(it.at('project.name').need)} (${asWords(it.at('health').text)})`,
          it.at('body'),
        ),
      };
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
  ],
});
