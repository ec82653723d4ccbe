import { type At, type Field, firstOf } from '../field.ts';
import type { Said } from '../integration.ts';
import { type Markdown, md } from '../markdown.ts';
import { asWords, happened, person } from '../words/index.ts';
import { did, project, who } from './common.ts';

/** Changed fields that are worth a message, and the word for each. */
const TOLD: Readonly<Record<string, string>> = {
  title: 'title',
  description: 'description',
  assignees: 'assignees',
  labels: 'labels',
  draft: 'draft',
  milestone_id: 'milestone',
  reviewers: 'reviewers',
  state_id: '',
  due_date: 'due date',
  severity: 'severity',
  target_branch: 'target',
};

/** Lists what was updated, with the new values of short fields. */
function changed(at: At): string {
  const names = (list: Field) => list.list.map((one) => one.at('title').text || person(one)).join(', ') || 'none';
  const now = (name: string, word: string) => {
    const it = at(`changes.${name}.current`);
    if (name === 'title') return `the title was “${at('changes.title.previous').text}”`;
    if (Array.isArray(it.value)) return `${word}: ${names(it)}`;
    return ['draft', 'due_date', 'severity', 'target_branch'].includes(name) ? `${word}: ${it.text || 'none'}` : word;
  };
  const all = Object.entries(TOLD).filter(([name, word]) => word !== '' && at(`changes.${name}`).exists);
  return all.map(([name, word]) => now(name, word)).join('; ');
}

/** The kind of a work item: GitLab sends incidents, tasks, epics and others in the format of issues. */
export function kindOf(it: Field): string {
  return asWords(it.at('type').text) || 'issue';
}

/** Describes an event about an issue or another work item. */
export function item(at: At): Said | undefined {
  return thing(at, kindOf(at('object_attributes')), '#');
}

/** Returns the verb for an action: an update can also close, reopen, or add commits. */
function verbOf(at: At, action: string): string {
  if (action !== 'update') return did(action);
  if (at('object_attributes.oldrev').exists) return 'added commits to';
  if (!at('changes.state_id').exists) return did(action);
  return at('changes.state_id.current').number === 1 ? 'reopened' : 'closed';
}

/** Describes an event about an issue or merge request; undefined for updates that are not worth a message. */
export function thing(at: At, kind: string, sign: string): Said | undefined {
  const it = at('object_attributes');
  const action = it.at('action').text || 'update';
  const isNews = it.at('oldrev').exists || Object.keys(TOLD).some((name) => at(`changes.${name}`).exists);
  if (action === 'update' && at('changes').exists && !isNews) return undefined;
  const isNew = action === 'open';
  const [number, title] = [it.at('iid').need, it.at('title').text];
  const home = firstOf(at('project.web_url'), at('repository.homepage'));
  const path = kind === 'MR' ? 'merge_requests' : 'issues';
  return {
    topic: `${project(at)} / ${kind} #${number} ${title}`,
    content: happened({
      who: who(at),
      did: verbOf(at, action),
      kind,
      number: `${sign}${number}`,
      title,
      url: firstOf(it.at('url'), home === '' ? '' : `${home}/-/${path}/${number}`),
      ...(kind === 'MR' && isNew && { from: it.at('source_branch').text, to: it.at('target_branch').text }),
      rest: restOf(at, action),
      body: isNew ? it.at('description').text : '',
    }),
  };
}

/** Assignees, reviewers, and what was changed. */
function restOf(at: At, action: string): Markdown | undefined {
  const people = (path: string) =>
    at(path)
      .list.map(person)
      .filter((name) => name !== '')
      .join(', ');
  const assigned = firstOf(people('assignees'), person(at('assignee')));
  const reviewers = people('reviewers');
  const updated = action === 'update' ? changed(at) : '';
  const parts = [
    ...(updated === '' ? [] : [updated]),
    ...(assigned === '' || (action === 'update' && at('changes.assignees').exists) ? [] : [`assigned to ${assigned}`]),
    ...(reviewers === '' || action !== 'open' ? [] : [`to be reviewed by ${reviewers}`]),
  ];
  return parts.length > 0 ? md`(${parts.join('; ')})` : undefined;
}
