import { RE2JS } from 're2js';

/** Longest pattern, in characters. */
const MAX_PATTERN = 1000;
/** Most instructions of a compiled pattern: at worst, each step of a search tries all of them. */
const MAX_INSTRUCTIONS = 150;
/** Most patterns of a realm that are applied, and most instructions of these in total; patterns beyond are ignored. */
export const MAX_PATTERNS = 200;
export const MAX_ALL_INSTRUCTIONS = 10_000;
/** Most steps (characters times instructions) of one text in one go: about 20 ms at worst. */
export const MAX_STEPS = 1_000_000;

/** Returns why a valid pattern is too large to be applied; undefined if it is not. */
export function sizeFault(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN) return `too long (limit: ${MAX_PATTERN} characters)`;
  const size = RE2JS.compile(pattern).programSize();
  return size > MAX_INSTRUCTIONS ? `too large (${size} instructions, limit: ${MAX_INSTRUCTIONS})` : undefined;
}

/** Counts the steps of all searches in one text; what is not searched stays text. */
export class Steps {
  #left = 2 * MAX_STEPS;

  /** Takes steps; false if not enough are left. */
  take(count: number): boolean {
    this.#left -= count;
    return this.#left >= 0;
  }
}
