import { groupsOf } from '#features/groups';
import type { CallerReadTx } from '#kernel/auth';
import { Unauthorized } from '#kernel/errors';
import { asId, type ChannelId, type UserId } from '#kernel/ids';
import type { ReadTx } from '#kernel/store';
import type { Search } from '../search/index.ts';
import { withConversation } from './conversation.ts';
import { hasNoFlagTerms, assertOneKind, type Resolving, type Resolved, type Term } from './terms.ts';
import * as where from './queries.ts';
import type { Selection } from './selecting/queries.ts';
import { resolveTerm } from './resolvers.ts';
import { searchConditions, searchOf, selectionOf } from './selection.ts';

/** A narrow, resolved for one reader. */
export interface Narrow {
  readonly selection: Selection;
  /** The conditions of the terms alone, without the condition that the reader has received the messages. */
  readonly terms: readonly where.Asked[];
  /** The narrow is valid, but nothing can match it. */
  readonly isEmpty: boolean;
  readonly search: Search | undefined;
  readonly isDirect: boolean;
  /** Whether all terms name places of messages, so that an index finds these. */
  readonly isPlace: boolean;
  /** Channels that the narrow names; muting these channels does not hide their unread messages. */
  readonly channelIds: readonly ChannelId[];
}

const PLACES = new Set(['channel', 'topic', 'dm', 'near']);
const UNKNOWN_READER = asId<UserId>(0);

/**
 * Resolves a narrow for a reader; a null actor is a spectator. See protocol/narrows#operators to
 * protocol/narrows#what-a-narrow-reaches.
 */
export async function resolveNarrow(tx: CallerReadTx, given: readonly Term[], host: string): Promise<Narrow> {
  const { actor } = tx;
  if (!actor) assertForSpectators(given);
  const resolving = resolvingFor(tx, host);
  const terms = await withConversation(resolving, actor ? given : given.filter((term) => term.operator !== 'in'));
  assertOneKind(terms);
  const search = searchOf(terms);
  const resolved = await resolveTerms(resolving, terms);
  const found = searchConditions(tx, search, terms);
  const hits = search && search.words.length > 0 ? [hitsOf(tx, search)] : [];
  const history = resolved.findLast((one) => one.history !== undefined)?.history === true && hasNoFlagTerms(terms);
  const isDirect = terms.some((term) => !term.negated && isDirectTerm(term));
  const base = await baseOf(resolving, history, isDirect);
  const channelIds = resolved.flatMap((one) => one.channel?.id ?? []);
  return {
    selection: selectionOf(resolved, search, { found, hits, base }),
    terms: [...resolved.map((one) => one.condition), ...found, ...hits],
    isEmpty: resolved.some((one) => one.isEmpty) || new Set(channelIds).size > 1,
    search,
    isDirect,
    isPlace: terms.every(({ operator, negated }) => PLACES.has(operator) && !negated),
    channelIds,
  };
}

/** Condition that a message has all words of a search. */
function hitsOf(tx: ReadTx, { words }: Search): where.Asked {
  return (window) => where.hasWords(tx, window, words);
}

function resolvingFor(tx: CallerReadTx, host: string): Resolving {
  const { actor } = tx;
  const reader = { userId: actor?.userId ?? UNKNOWN_READER, role: actor?.role ?? null };
  const withGroups = async () => ({
    ...reader,
    groups: actor ? await groupsOf(tx, actor) : new Set<never>(),
  });
  return { tx, host, reader, withGroups };
}

/** Resolves the terms one by one, without searches. */
async function resolveTerms(resolving: Resolving, terms: readonly Term[]): Promise<readonly Resolved[]> {
  const resolved: Resolved[] = [];
  let isTopicFirst = true;
  for (const term of withoutRepeats(terms.filter(({ operator }) => operator !== 'search'))) {
    const one = await resolveTerm(resolving, term, isTopicFirst);
    if (term.operator === 'topic') isTopicFirst = false;
    resolved.push(term.negated && !isNoCondition(term) ? { condition: negated(one.condition) } : one);
  }
  return resolved;
}

function negated(asked: where.Asked): where.Asked {
  return typeof asked === 'function' ? (window) => where.negation(asked(window)) : where.negation(asked);
}

/**
 * Removes repeated terms, which change nothing. Topics stay, because the first topic term is resolved differently from
 * later ones.
 */
function withoutRepeats(terms: readonly Term[]): readonly Term[] {
  const known = new Set<string>();
  return terms.filter((term) => {
    const said = JSON.stringify([term.operator, term.operand, term.negated]);
    if (known.has(said) && term.operator !== 'topic') return false;
    known.add(said);
    return true;
  });
}

/**
 * The condition that limits a narrow to what the reader may see: none where the reader may see the history, otherwise
 * messages that they received and may still read; in a direct narrow, conversations they take part in.
 */
async function baseOf(
  { tx, withGroups }: Resolving,
  history: boolean,
  isDirect: boolean,
): Promise<readonly where.Condition[]> {
  if (!tx.actor) return [where.inWebPublicChannel];
  if (isDirect) return [where.isDirect, where.includesPerson(tx.actor.userId)];
  return history ? [] : [where.receivedAndOpen(tx, await withGroups())];
}

/** Whether a term matches everything, negated or not: protocol/narrows#operators. */
function isNoCondition({ operator, operand }: Term): boolean {
  return operator === 'near' || (operator === 'in' && operand === 'all');
}

function isDirectTerm({ operator, operand }: Term): boolean {
  if (operator === 'is') return operand === 'dm' || operand === 'private';
  return operator === 'dm' || operator === 'dm-including' || operator === 'group-pm-with';
}

const SPECTATOR_OPERATORS = new Set([
  'channel',
  'channels',
  'topic',
  'sender',
  'has',
  'search',
  'near',
  'id',
  'with',
  'in',
]);

/**
 * Throws unless a spectator's narrow asks for web-public channels and uses allowed operators only. See
 * protocol/fetching#spectators.
 */
function assertForSpectators(terms: readonly Term[]): void {
  const isWebPublic = ({ operator, operand, negated }: Term) =>
    operator === 'channels' && operand === 'web-public' && !negated;
  const isAllowed = ({ operator, operand }: Term) =>
    (SPECTATOR_OPERATORS.has(operator) && (operator !== 'in' || operand === 'home')) ||
    (operator === 'is' && operand === 'resolved');
  if (!terms.some(isWebPublic) || !terms.every(isAllowed)) throw Unauthorized();
}
