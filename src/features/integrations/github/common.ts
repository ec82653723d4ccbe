import { type At, firstOf } from '../field.ts';
import type { Call, Said } from '../integration.ts';
import { link, type Markdown } from '../markdown.ts';
import { type Happening, happened, person } from '../words/index.ts';

/** Turns one kind of event into a message. */
export type Reader = (at: At, call: Call) => Said | undefined;

/** The person who caused the event. */
export const who = (at: At) => person(at('sender'));
/** The name of the repository, or of the organization; topics begin with it. */
export const repository = (at: At) => firstOf(at('repository.name'), at('organization.login'));
export const ofRepository = (at: At) =>
  link(firstOf(at('repository.full_name'), repository(at), 'a repository'), at('repository.html_url'));
/** The beginning of topics about the organization. */
export const organization = (at: At) => `${at('organization.login').text || repository(at)} organization`.trim();
/** Whether a branch was created by a merge queue. */
export const isOfQueue = (branch: string) => branch.startsWith('gh-readonly-queue/');

/** Makes a reader of events about the repository as a whole. */
export const about =
  (content: (at: At) => Markdown): Reader =>
  (at) => ({ topic: repository(at), content: content(at) });

/** Describes an event about an object that has a number, a title and an address. */
export function thing(at: At, path: string, news: Pick<Happening, 'did' | 'kind' | 'body' | 'rest'>): Said {
  const { kind } = news;
  const [number, title] = [`#${at(`${path}.number`).need}`, at(`${path}.title`).text];
  return {
    topic:
      kind === 'discussion'
        ? `${repository(at)} discussion ${number}: ${title}`
        : `${repository(at)} / ${kind} ${number} ${title}`,
    content: happened({ ...news, who: who(at), number, title, url: at(`${path}.html_url`).text }),
  };
}
