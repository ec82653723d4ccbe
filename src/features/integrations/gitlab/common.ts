import { type At, firstOf } from '../field.ts';
import type { Call, Said } from '../integration.ts';
import { asWords, person } from '../words/index.ts';

/** Reads one kind of event. */
export type Reader = (at: At, call: Call) => Said | undefined;

/** Who did it. */
export const who = (at: At) =>
  firstOf(person(at('user')), at('user_name'), at('user_username'), at('commit.author_name'));
/** The project; of what names none, such as an epic or a vulnerability, the group or project of its address. */
export const project = (at: At) =>
  firstOf(at('project.name'), at('repository.name'), at('project_name'), placeOf(at('object_attributes.url').text));

function placeOf(url: string): string {
  const [, group = '', path = ''] = /^https?:\/\/[^/\s]+\/(groups\/)?([^\s?#]{1,200}?)\/-\//.exec(url) ?? [];
  return group === '' ? (path.split('/').at(-1) ?? '') : path;
}

const DONE: Readonly<Record<string, string>> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  update: 'updated',
  merge: 'merged',
  approved: 'approved',
  approval: 'approved',
  unapproved: 'withdrew the approval of',
  unapproval: 'withdrew the approval of',
  create: 'created',
  delete: 'deleted',
  destroy: 'deleted',
  rename: 'renamed',
  transfer: 'moved',
};
/** An action of the wire in the past tense. */
export const did = (action: string) => DONE[action] ?? asWords(action);
