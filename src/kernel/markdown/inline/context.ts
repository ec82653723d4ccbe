import type { CodeBlocks } from '../code/code-blocks.ts';
import type { Facts } from '../facts.ts';
import type { Formulas } from '../formulas/formulas.ts';
import type { Lookups } from '../lookups.ts';
import type { Stash } from './stash.ts';

/** What the inline passes over one run of text share. */
export interface InlineContext {
  readonly lookups: Lookups;
  readonly facts: Facts;
  readonly stash: Stash;
  readonly formulas: Formulas;
  readonly code: CodeBlocks;
  /** Inside a quote, where every mention is silent (protocol/markdown#user-mentions). */
  readonly quoted: boolean;
}

/** Looks for one syntax in a text and gives the text with tokens in place of what it found. */
export type Pass = (text: string, context: InlineContext) => string;

/** A pass, and the units of which one must stand in a text for the pass to find anything; of `*` there must be two. */
export interface Syntax {
  readonly triggers: string;
  readonly pass: Pass;
  /** What it is made of, where it is several in order. */
  readonly parts?: readonly Syntax[];
}

/** Declares a syntax. Texts without its triggers never reach its pass. */
export function syntax(triggers: string, pass: Pass): Syntax {
  return { triggers, pass };
}
