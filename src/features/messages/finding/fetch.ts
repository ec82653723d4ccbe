import { type ActorReadTx, type CallerReadTx, hasActor } from '#kernel/auth';
import type { MessageId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { accessHeads, EVERYTHING } from '../core/index.ts';
import { type Amounts, type Anchor, NEWEST } from './anchor.ts';
import {
  askedWithin,
  filterIds,
  firstSince,
  type Narrow,
  notHidden,
  selectIds,
  type Selection,
  walk,
} from '../narrow/index.ts';
import { findFirstUnread } from '../reading/index.ts';

/** IDs of messages around an anchor, ascending, and whether the ends of the narrow were reached. */
export interface Found {
  readonly anchor: number;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly ids: readonly MessageId[];
}

/** Finds the messages of a narrow around an anchor. See protocol/fetching#anchors. */
export async function findAround(tx: CallerReadTx, narrow: Narrow, anchor: Anchor, amounts: Amounts): Promise<Found> {
  if (narrow.isEmpty) return { anchor: NEWEST, found_anchor: false, found_oldest: true, found_newest: true, ids: [] };
  const centre = await centreOf(tx, narrow, anchor);
  if (centre === undefined)
    return { anchor: NEWEST, found_anchor: false, found_oldest: false, found_newest: false, ids: [] };
  return around(tx, narrow.selection, centre, amounts);
}

/** Resolves the anchor to an ID; undefined when a date finds no message. */
async function centreOf(tx: CallerReadTx, narrow: Narrow, anchor: Anchor): Promise<number | undefined> {
  if (anchor === 'first_unread') return (hasActor(tx) ? await firstUnread(tx, narrow) : undefined) ?? NEWEST;
  if ('id' in anchor) return anchor.id;
  const { selection } = narrow;
  const since = await firstSince(tx, selection, anchor.since);
  if (since !== undefined) return since;
  const [newest] = await selectIds(tx, selection, { from: NEWEST, direction: 'older', limit: 1 });
  return newest;
}

/** Finds the oldest unread message of a narrow that is not hidden by muting. */
async function firstUnread(
  tx: ActorReadTx,
  { selection, isDirect, isPlace, channelIds }: Narrow,
): Promise<MessageId | undefined> {
  const hidden = isDirect ? [] : [notHidden(tx, tx.actor.userId, channelIds)];
  const conditions = [...selection.conditions, ...hidden];
  if (isPlace) return findFirstUnread(tx, askedWithin(conditions), EVERYTHING);
  const stretch = { from: 0, direction: 'newer', limit: 1, weight: selection.weight } as const;
  const [first] = await walk(tx, stretch, async (window) => {
    const found = await findFirstUnread(tx, askedWithin(conditions, window), window);
    return found === undefined ? [] : [found];
  });
  return first;
}

async function around(
  tx: RealmReadTx,
  selection: Selection,
  anchor: number,
  { num_before, num_after, include_anchor }: Amounts,
): Promise<Found> {
  const isLeft = anchor === 0;
  const isRight = anchor >= NEWEST;
  const before = isLeft ? 0 : num_before;
  const after = isRight ? 0 : num_after;
  const withAnchor = !isRight && (include_anchor || (before > 0 && after > 0));
  const older =
    before > 0 ? await selectIds(tx, selection, { from: anchor - 1, direction: 'older', limit: before }) : [];
  // The query for newer messages includes the anchor itself.
  const from = withAnchor ? anchor : anchor + 1;
  const newer =
    withAnchor || after > 0
      ? await selectIds(tx, selection, { from, direction: 'newer', limit: after + (withAnchor ? 1 : 0) })
      : [];
  const hasAnchor = newer[0] === anchor;
  const later = (hasAnchor ? newer.slice(1) : newer).slice(0, after);
  return {
    anchor,
    found_anchor: hasAnchor,
    found_oldest: isLeft || older.length < num_before,
    found_newest: isRight || later.length < num_after,
    ids: [...older.toReversed(), ...newer.slice(0, hasAnchor ? 1 : 0), ...later],
  };
}

/** Returns the IDs that the reader may read and that match the narrow, ascending. */
export async function findNamed(
  tx: CallerReadTx,
  narrow: Narrow,
  ids: readonly MessageId[],
): Promise<readonly MessageId[]> {
  if (narrow.isEmpty) return [];
  const open = (await accessHeads(tx, ids)).map((row) => row.id);
  return narrow.terms.length === 0 ? open : filterIds(tx, narrow.terms, open);
}
