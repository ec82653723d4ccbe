import { BuiltInNamed, NameNeeded } from './errors.ts';

/** Longest address of a view, in code points. */
export const MAX_FRAGMENT = 1000;
/** Longest name of a view, in code points. */
export const MAX_NAME = 100;
/** Most views of one user. */
export const MAX_VIEWS = 1000;

const BUILT_IN: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
]);

/**
 * Throws unless a view may have the name: built-in ones have none, others need one.
 * See protocol/saved#navigation-views.
 */
export function assertName(fragment: string, name: string | null): void {
  if (BUILT_IN.has(fragment)) {
    if (name !== null) throw BuiltInNamed();
  } else if (name === null || name === '') throw NameNeeded();
}
