import { type At, firstOf } from '../field.ts';
import type { Call, Said } from '../integration.ts';
import { link, type Markdown } from '../markdown.ts';
import { happened, person } from '../words/index.ts';

/** Reads one kind of event. */
export type Reader = (at: At, call: Call) => Said | undefined;

/** Who did it. */
export const who = (at: At) => person(at('sender'));
/** The repository, or the organization where there is none: how topics begin. */
export const repository = (at: At) => firstOf(at('repository.name'), at('organization.login'));
export const ofRepository = (at: At) =>
  link(firstOf(at('repository.full_name'), repository(at), 'a repository'), at('repository.html_url'));
/** What concerns an organization, and no repository of it. */
export const organization = (at: At) => `${at('organization.login').text || repository(at)} organization`.trim();
/** Whether a branch is one that a merge queue makes for itself. */
export const isOfQueue = (branch: string) => branch.startsWith('gh-readonly-queue/');

/** What is said of the repository as a whole. */
export const about =
  (content: (at: At) => Markdown): Reader =>
  (at) => ({ topic: repository(at), content: content(at) });

/** Something that has number, title and address, and what was done to it. */
export function thing(at: At, path: string, kind: string, did: string | Markdown, body = '', rest?: Markdown): Said {
  const [number, title] = [`#${at(`${path}.number`).need}`, at(`${path}.title`).text];
  return {
    topic:
      kind === 'discussion'
        ? `${repository(at)} discussion ${number}: ${title}`
        : `${repository(at)} / ${kind} ${number} ${title}`,
    content: happened({ who: who(at), did, kind, number, title, url: at(`${path}.html_url`).text, body, rest }),
  };
}
