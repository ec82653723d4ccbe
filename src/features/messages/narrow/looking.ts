import type { ChannelRow } from '#features/channels';
import type { CallerReadTx } from '#kernel/auth';
import type { Lists } from './merged/queries.ts';
import type * as where from './queries.ts';
import type { Term } from './terms.ts';

/** What understanding a term needs: whose narrow it is, and where to look things up. */
export interface Looking {
  readonly tx: CallerReadTx;
  readonly host: string;
  readonly reader: Omit<where.Reader, 'groups'>;
  /** The reader with the groups that let into channels and are mentioned; read where they matter. */
  readonly withGroups: () => Promise<where.Reader>;
}

/** A term as a condition, with what else it says. */
export interface Resolved {
  readonly condition: where.Condition;
  readonly channel?: ChannelRow;
  /** Whether the term opens messages that were never received. */
  readonly history?: boolean;
  readonly isNarrow?: boolean;
  readonly isEmpty?: boolean;
  /** Where all that the term lets through stands in order. */
  readonly lists?: readonly Lists[];
  /** Whether these hold nothing else, and only what the reader has received. */
  readonly areListsExact?: boolean;
}

/** A term that says nothing but its condition. */
export const plain = (condition: where.Condition): Resolved => ({ condition });

/** The number that a text of digits, or a number, stands for. */
export function digits(operand: Term['operand']): number | undefined {
  if (typeof operand === 'number') return operand >= 0 ? operand : undefined;
  return typeof operand === 'string' && /^\d{1,15}$/.test(operand) ? Number(operand) : undefined;
}
