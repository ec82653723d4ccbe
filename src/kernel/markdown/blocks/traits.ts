import { isDigit, unitAt } from '../characters.ts';
import type { TextBlock } from './block.ts';
import { NO_MARKS } from './line-marks.ts';
import { isBullet } from './list-items.ts';
import { SEPARATOR_CHARACTERS } from './table-rows.ts';

/** Some line of the block may be a heading, a horizontal rule or a quote. */
export const MARKED = 1;
/** The first line begins with a space. */
export const INDENTED = 2;
/** The second line begins as the separator line of a table can. */
export const SEPARATED = 4;
/** The first line begins with a digit. */
export const NUMBERED = 8;
/** The first line begins with a bullet. */
export const BULLETED = 16;

/** The number of combinations of traits; the last trait is the highest bit. */
export const COMBINATIONS = 2 * BULLETED;

/** Returns the traits of a block, as bits; 0 for most. */
export function traitsOf({ lines, from, marks }: TextBlock): number {
  const second = lines[from + 1];
  const isSeparated = second !== undefined && SEPARATOR_CHARACTERS.includes(second.charAt(0));
  return (marks === NO_MARKS ? 0 : MARKED) | (isSeparated ? SEPARATED : 0) | traitOfFirst(unitAt(lines[from] ?? '', 0));
}

function traitOfFirst(unit: number): number {
  if (unit === 32) return INDENTED;
  if (isDigit(unit)) return NUMBERED;
  return isBullet(unit) ? BULLETED : 0;
}
