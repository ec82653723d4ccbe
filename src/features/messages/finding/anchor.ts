import { ParametersIncompatible } from '#kernel/errors';
import {
  AnchorExcluded,
  InvalidAnchor,
  InvalidAnchorDate,
  MissingAnchor,
  MissingAnchorDate,
  TooManyMessages,
} from '../core/index.ts';

/** Number that stands for "newest" in requests and answers. See protocol/fetching#anchors. */
export const NEWEST = 10_000_000_000_000_000;
/** Most messages of one request. See protocol/wire#limits. */
export const MAX_FETCH = 5000;

/** The centre of a fetch: an ID, the first unread message, or the first message since a time in seconds. */
export type Anchor = { readonly id: number } | { readonly since: number } | 'first_unread';

interface AnchorInput {
  readonly anchor: string | undefined;
  readonly anchor_date: string | undefined;
  readonly use_first_unread_anchor?: boolean | undefined;
}

/** Reads an anchor. See protocol/fetching#parameters. */
export function parseAnchor({ anchor, anchor_date, use_first_unread_anchor }: AnchorInput): Anchor {
  if (use_first_unread_anchor || anchor === 'first_unread') return 'first_unread';
  if (anchor === undefined) throw MissingAnchor();
  if (anchor === 'newest') return { id: NEWEST };
  if (anchor === 'oldest') return { id: 0 };
  if (anchor === 'date') return { since: parseDate(anchor_date) };
  if (!/^[+-]?\d+$/.test(anchor)) throw InvalidAnchor();
  return { id: Math.min(Math.max(Number(anchor), 0), NEWEST) };
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Parses a date to seconds since 1970; without a time it is midnight, without a zone it is in UTC. */
function parseDate(text: string | undefined): number {
  if (text === undefined) throw MissingAnchorDate();
  const match = ISO_DATE.exec(text.trim());
  if (!match) throw InvalidAnchorDate();
  const hasTime = text.trim().length > 10;
  const milliseconds = Date.parse(text.trim().replace(' ', 'T') + (hasTime && match[1] === undefined ? 'Z' : ''));
  if (Number.isNaN(milliseconds)) throw InvalidAnchorDate();
  return Math.ceil(milliseconds / 1000);
}

/** How many messages are wanted on each side, and whether the anchor itself counts. */
export interface Amounts {
  readonly num_before: number;
  readonly num_after: number;
  readonly include_anchor: boolean;
}

/** Throws for amounts that are not allowed. See protocol/fetching#parameters. */
export function assertAmounts({ num_before, num_after, include_anchor }: Amounts): void {
  if (num_before + num_after > MAX_FETCH) throw TooManyMessages();
  assertAnchorAtEnd({ num_before, num_after, include_anchor });
}

export function assertAnchorAtEnd({ num_before, num_after, include_anchor }: Amounts): void {
  if (!include_anchor && num_before > 0 && num_after > 0) throw AnchorExcluded();
}

/** Clamps amounts to the most messages that one change of flags may touch. See protocol/flags#by-narrow. */
export function clamped(amounts: Amounts): Amounts {
  const num_before = Math.min(amounts.num_before, Math.max(MAX_FETCH - amounts.num_after, MAX_FETCH / 2));
  return { ...amounts, num_before, num_after: Math.min(amounts.num_after, MAX_FETCH - num_before) };
}

const RANGE = [
  'num_before',
  'num_after',
  'anchor',
  'message_ids',
  'include_anchor',
  'use_first_unread_anchor',
] as const;

/** Throws when a request names messages both by ID and by a range. */
export function assertNoRange(given: Readonly<Record<Exclude<(typeof RANGE)[number], 'message_ids'>, unknown>>): void {
  if (Object.values(given).some((value) => value !== undefined))
    throw ParametersIncompatible({ parameters: RANGE.join(', ') });
}
