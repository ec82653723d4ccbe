import { lookUp } from '#kernel/lists';
import { type At, firstOf } from '../field.ts';
import type { Call, Said } from '../integration.ts';
import { asWords, person } from '../words/index.ts';

/** Turns one kind of event into a message. */
export type Reader = (at: At, call: Call) => Said | undefined;

/** The person who caused the event. */
export const who = (at: At) =>
  firstOf(person(at('user')), at('user_name'), at('user_username'), at('commit.author_name'));
/** The project's name; for events without one (epics, vulnerabilities), the group or project in their address. */
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
/** Returns the past tense of an action. */
export const did = (action: string) => lookUp(DONE, action) ?? asWords(action);
