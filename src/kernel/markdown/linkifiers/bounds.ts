import { RE2JS } from 're2js';

/** Longest pattern, in characters. */
const MAX_PATTERN = 1000;
/** Most instructions of the program that a pattern becomes: one step of a search tries each of them at worst. */
const MAX_INSTRUCTIONS = 150;
/** Most steps (characters times instructions) of one text at once: about 20 ms at worst. */
export const MAX_STEPS = 1_000_000;

/** Why a pattern that compiles is too large to be applied; undefined when it is not. */
export function sizeFault(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN) return `too long (limit: ${MAX_PATTERN} characters)`;
  const size = RE2JS.compile(pattern).programSize();
  return size > MAX_INSTRUCTIONS ? `too large (${size} instructions, limit: ${MAX_INSTRUCTIONS})` : undefined;
}

/** What is left of the steps that all searches for places in one text may take; what they do not reach stays text. */
export class Steps {
  #left = 2 * MAX_STEPS;

  /** Takes steps; false when there are not so many left. */
  take(count: number): boolean {
    this.#left -= count;
    return this.#left >= 0;
  }
}
