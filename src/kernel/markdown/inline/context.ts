import type { CodeBlocks } from '../code/code-blocks.ts';
import type { Findings } from '../findings.ts';
import type { Formulas } from '../formulas/formulas.ts';
import type { Lookups } from '../lookups.ts';
import type { Stash } from './stash.ts';

/** What the inline passes share. */
export interface InlineContext {
  readonly lookups: Lookups;
  readonly findings: Findings;
  readonly stash: Stash;
  readonly formulas: Formulas;
  readonly code: CodeBlocks;
  /** Whether the text is inside a quote, where all mentions are silent (protocol/markdown#user-mentions). */
  readonly quoted: boolean;
}

/** Finds one kind of syntax in a text and replaces it by tokens. */
export type Pass = (text: string, context: InlineContext) => string;

/**
 * A pass, and its trigger characters: without one of them in a text, the pass finds nothing. Of `*` there must be two.
 */
export interface Syntax {
  readonly triggers: string;
  readonly pass: Pass;
  /** The passes that it consists of, in order, if there are several. */
  readonly parts?: readonly Syntax[];
}

/** Declares a syntax. Its pass is not called for texts without its triggers. */
export function syntax(triggers: string, pass: Pass): Syntax {
  return { triggers, pass };
}
