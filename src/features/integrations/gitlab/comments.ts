import { lookUp } from '#kernel/lists';
import { type At, firstOf } from '../field.ts';
import type { Said } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { happened, noted } from '../words/index.ts';
import { project, who } from './common.ts';
import { kindOf } from './things.ts';

const NOTED: Readonly<Record<string, readonly [path: string, kind: string, sign: string]>> = {
  MergeRequest: ['merge_request', 'MR', '!'],
  Issue: ['issue', 'issue', '#'],
  WorkItem: ['issue', 'issue', '#'],
  Snippet: ['snippet', 'snippet', '$'],
  ProjectSnippet: ['project_snippet', 'snippet', '$'],
};

export function note(at: At): Said {
  const it = at('object_attributes');
  const type = it.at('noteable_type').need;
  const commented = link(it.at('action').text === 'update' ? 'edited a comment' : 'commented', it.at('url'));
  const known = lookUp(NOTED, type);
  if (!known)
    return {
      topic: project(at),
      content: noted(
        md`${who(at)} ${commented} on ${at('commit.id').exists ? link(at('commit.id').need.slice(0, 7), at('commit.url')) : placeOf(type)}`,
        it.at('note'),
      ),
    };
  const [path, , sign] = known;
  const kind = known[1] === 'issue' ? kindOf(at(path)) : known[1];
  const [number, title] = [firstOf(at(`${path}.iid`), at(`${path}.id`)), at(`${path}.title`).text];
  return {
    topic: `${project(at)} / ${kind} #${number} ${title}`,
    content: happened({
      who: who(at),
      did: md`${commented} on`,
      kind,
      number: `${sign}${number}`,
      title,
      url: firstOf(at(`${path}.url`), it.at('url')),
      body: it.at('note').text,
    }),
  };
}

/** Describes a reaction, and what it was added to. */
export function emoji(at: At): Said {
  const it = at('object_attributes');
  const place = Object.values(NOTED).find(([path]) => at(path).exists);
  const [path, kind, sign] = place ?? ['note', placeOf(at('note.noteable_type').text), ''];
  const [number, title] = [firstOf(at(`${path}.iid`), at(`${path}.id`)), at(`${path}.title`).text];
  const verb = firstOf(it.at('action'), at('event_type')) === 'revoke' ? 'took back' : 'reacted with';
  const what = at('note').exists ? `a comment on ${kind}` : kind;
  return {
    topic: place ? `${project(at)} / ${kind} #${number} ${title}` : project(at),
    content: md`${who(at)} ${verb} :${it.at('name')}: ${verb === 'took back' ? 'from' : 'to'} ${link(place ? `${what} ${sign}${number} ${title}` : what, firstOf(it.at('awarded_on_url'), at(`${path}.url`)))}.`,
  };
}

/** What was commented on, if the payload has neither its number nor its title. */
const placeOf = (type: string) =>
  lookUp({ Commit: 'a commit', 'DesignManagement::Design': 'a design', Epic: 'an epic' }, type) ?? 'something';
