import type { ChannelRow } from '#features/channels';
import type { CallerReadTx } from '#kernel/auth';
import { ParameterFault } from '#kernel/errors';
import { codePointLength } from '#kernel/text';
import { BadNarrow, DuplicateWith } from '../core/index.ts';
import { indexWords } from '../search/index.ts';
import type { Lists } from './merged/queries.ts';
import type * as where from './queries.ts';

/** One term of a narrow, with its form validated. */
export interface Term {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated: boolean;
}

/** Older names of operators. See protocol/narrows#operators. */
const ALIASES: Readonly<Record<string, string>> = {
  stream: 'channel',
  streams: 'channels',
  'pm-with': 'dm',
  pm_with: 'dm',
  group_pm_with: 'group-pm-with',
};
const BY_ID = new Set(['channel', 'id', 'sender', 'group-pm-with', 'dm-including', 'mentions', 'with']);

/** Longest operand, in code points; an operand that lists people may be as long as a term. */
const MAX_OPERAND = 1000;
/** Most code points of all searches together, and most words in them. */
const MAX_SEARCH = 1000;
const MAX_WORDS = 100;

/** Parses a narrow; throws the errors of protocol/narrows#syntax, in the order of the terms. */
export function parseNarrow(elements: readonly unknown[]): readonly Term[] {
  const terms = elements.map((element, index) => parseTerm(element, index));
  const searches = terms.filter(({ operator }) => operator === 'search').map(({ operand }) => String(operand));
  const text = searches.join(' ');
  if (text.length > 2 * MAX_SEARCH || codePointLength(text) > MAX_SEARCH)
    throw ParameterFault({ fault: `search is too long (limit: ${MAX_SEARCH} characters)` });
  if (indexWords(text).length > MAX_WORDS)
    throw ParameterFault({ fault: `search is too long (limit: ${MAX_WORDS} words)` });
  return terms;
}

function parseTerm(element: unknown, index: number): Term {
  const at = (fault: string) => ParameterFault({ fault: `Invalid narrow[${index}]: Value error, ${fault}` });
  if (Array.isArray(element)) {
    const pair: readonly unknown[] = element;
    const [operator, operand] = pair;
    if (typeof operator !== 'string' || typeof operand !== 'string' || pair.length !== 2)
      throw at('element is not a string pair');
    return checkedTerm(operator, operand, false);
  }
  if (typeof element !== 'object' || element === null) throw at('dict or list required');
  const { operator, operand, negated }: { operator?: unknown; operand?: unknown; negated?: unknown } = element;
  if (operand === undefined || operand === null) throw at('operand is missing');
  if (operator === undefined || operator === null) throw at('operator is missing');
  if (typeof operator !== 'string') throw ParameterFault({ fault: 'operator is not a string' });
  if (negated !== undefined && negated !== null && typeof negated !== 'boolean')
    throw ParameterFault({ fault: 'negated is not a boolean' });
  return checkedTerm(operator, operand, negated ?? false);
}

/** Checks an operand before its operator is known to exist. */
function checkedTerm(name: string, operand: unknown, negated: boolean): Term {
  const operator = (Object.hasOwn(ALIASES, name) && ALIASES[name]) || name;
  return { operator, operand: checkedOperand(operator, operand), negated };
}

function checkedOperand(operator: string, operand: unknown): Term['operand'] {
  if (BY_ID.has(operator)) {
    if (typeof operand === 'string') return shortEnough(operand);
    if (isInteger(operand)) return operand;
    throw ParameterFault({ fault: 'operand is not a string or integer' });
  }
  if (operator === 'dm' && typeof operand !== 'string') return idList(operand);
  if (typeof operand !== 'string')
    throw ParameterFault({
      fault: operator === 'dm' ? 'operand is not a string or an integer list' : 'operand is not a string',
    });
  if (operator === 'search' && operand.trim() === '') throw ParameterFault({ fault: 'operand cannot be blank.' });
  return shortEnough(operand);
}

function shortEnough(operand: string): string {
  if (operand.length > 2 * MAX_OPERAND || codePointLength(operand) > MAX_OPERAND)
    throw ParameterFault({ fault: `operand is too long (limit: ${MAX_OPERAND} characters)` });
  return operand;
}

function idList(operand: unknown): readonly number[] {
  if (!Array.isArray(operand)) throw ParameterFault({ fault: 'operand is not a string or an integer list' });
  return operand.map((item: unknown, index) => {
    if (!isInteger(item)) throw ParameterFault({ fault: `operand[${index}] is not an integer` });
    return item;
  });
}

function isInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

const CHANNEL_SIDE = new Set(['channel', 'channels', 'topic']);
const DIRECT_SIDE = new Set(['dm', 'dm-including', 'group-pm-with']);

/** Throws when two terms exclude each other, so that no message could ever match. See protocol/narrows#faults. */
export function assertOneKind(terms: readonly Term[]): void {
  const isDm = ({ operator, operand }: Term) => operator === 'is' && (operand === 'dm' || operand === 'private');
  const channelSide = terms.some((term) => (term.negated ? isDm(term) : CHANNEL_SIDE.has(term.operator)));
  const directSide = terms.some((term) => !term.negated && (DIRECT_SIDE.has(term.operator) || isDm(term)));
  if (channelSide && directSide)
    throw BadNarrow({ desc: 'No message can be both a channel message and direct message' });
}

/** The one `with` term, if there is any. */
export function withTerm(terms: readonly Term[]): Term | undefined {
  const [first, second] = terms.filter((term) => term.operator === 'with');
  if (second) throw DuplicateWith({ desc: "Duplicate 'with' operators." });
  return first;
}

/** Whether no term asks for a user's own flags, so that messages which the user never received may match. */
export function hasNoFlagTerms(terms: readonly Term[]): boolean {
  return terms.every(({ operator, operand }) => operator !== 'is' || operand === 'resolved');
}

/** What resolves terms: the reader of the narrow, and where to look things up. */
export interface Resolving {
  readonly tx: CallerReadTx;
  readonly host: string;
  readonly reader: Omit<where.Reader, 'groups'>;
  /** The reader with the groups that give access to channels and may be mentioned; read only when needed. */
  readonly withGroups: () => Promise<where.Reader>;
}

/** A resolved term: its condition, and what else follows from it. */
export interface Resolved {
  readonly condition: where.Asked;
  readonly channel?: ChannelRow;
  /** Whether the term lets messages match that the reader never received. */
  readonly history?: boolean;
  readonly isNarrow?: boolean;
  readonly isEmpty?: boolean;
  /** Ordered lists that contain all messages that match the term. */
  readonly lists?: readonly Lists[];
  /** Whether the lists contain nothing else, and only messages that the reader has received. */
  readonly areListsExact?: boolean;
}

/** A resolved term with a condition only. */
export const plain = (condition: where.Asked): Resolved => ({ condition });

/** Parses a number, or a text of digits; undefined for other operands. */
export function digits(operand: Term['operand']): number | undefined {
  if (typeof operand === 'number') return operand >= 0 ? operand : undefined;
  return typeof operand === 'string' && /^\d{1,15}$/.test(operand) ? Number(operand) : undefined;
}
