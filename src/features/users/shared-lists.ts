import { asId, type UserId } from '#kernel/ids';
import { inParts } from '#kernel/store';
import { segment, type SegmentList, segmentList } from '#kernel/gzip';
import { Assembled, type Part, type CachedRead, type StateContext, sharedCache } from '#kernel/state';
import { madeInTurns, ordinary, readPeople, RUN_LENGTH, systemBots, toWireListed } from './lists.ts';
import { listProfiles } from './lists/queries.ts';
import type { ListedRow, UserRow } from './tables.ts';
import type { Viewer } from './to-wire.ts';

/** Events that change what the lists show of accounts. */
const ACCOUNTS = ['realm_user', 'realm_bot', 'user_settings', 'custom_profile_fields', 'realm'];
/** ID of no account: a viewer who is not in the lists. */
const NO_ONE = asId<UserId>(0);

/** Accounts that are compressed together with a viewer's own entry. */
const PIECE_LENGTH = 10;

/** A run of active users, as everybody of one role who is not among them sees it. */
interface Run {
  readonly ids: readonly UserId[];
  readonly text: string;
  /** Where each user begins in the text, so that a reply can replace the viewer's own entry. */
  readonly starts: readonly number[];
  /** The same text in pieces of `PIECE_LENGTH`, made for the first viewer who is in the run: all others share them. */
  pieces?: Promise<SegmentList>;
}

interface Lists {
  readonly active: readonly Run[];
  /** The text of each run. */
  readonly segmentList: SegmentList;
  readonly others: Readonly<Record<'realm_non_active_users' | 'cross_realm_bots', Assembled>>;
}

const listsCache = sharedCache<Lists>();

/**
 * The lists for a viewer who may know of everybody. They depend only on the role and the wish for Gravatars, except for
 * the viewer's own entry: people always see their own address.
 */
export async function sharedLists(
  input: StateContext,
  cached: CachedRead,
  row: UserRow,
  viewer: Viewer & { readonly userId: UserId },
) {
  const { tx } = input;
  const host = tx.realm.host;
  const { role, clientGravatar } = viewer;
  const name = `users ${JSON.stringify([host, role, clientGravatar])}`;
  const lists = await cached(listsCache, name, ACCOUNTS, (outdated) =>
    readLists(input, host, { ...viewer, userId: NO_ONE }, outdated?.segmentList),
  );
  const own = JSON.stringify(toWireListed(row, host, viewer, await listProfiles(tx, [row.id])));
  const parts = (await withOwn(lists, row.id, own)).flatMap((part): Part[] => [',', part]);
  return { realm_users: new Assembled(['[', ...parts.slice(1), ']']), ...lists.others };
}

/** The active users for a viewer, whose own entry replaces the one that others see. */
async function withOwn({ active, segmentList: all }: Lists, id: UserId, own: string): Promise<readonly Part[]> {
  const at = active.findIndex(({ ids }) => ids.includes(id));
  const run = active[at];
  const index = run?.ids.indexOf(id) ?? -1;
  if (!run || entries(run, index, index + 1) === own) return all.span(0, active.length);
  const pieces = await (run.pieces ??= piecesOf(run));
  const piece = Math.floor(index / PIECE_LENGTH);
  const [start, end] = [piece * PIECE_LENGTH, (piece + 1) * PIECE_LENGTH];
  const around = [entries(run, start, index), own, entries(run, index + 1, end)];
  return [
    ...all.span(0, at),
    ...pieces.span(0, piece),
    around.filter((text) => text !== '').join(),
    ...pieces.span(piece + 1, pieces.refs.length),
    ...all.span(at + 1, active.length),
  ];
}

function piecesOf(run: Run): Promise<SegmentList> {
  const starts = Array.from({ length: Math.ceil(run.ids.length / PIECE_LENGTH) }, (_, index) => index * PIECE_LENGTH);
  const texts = starts.map((start) => entries(run, start, start + PIECE_LENGTH));
  return segmentList(texts, ',');
}

/** The text of the entries from `first` to the one before `end`; empty if there are none. */
function entries({ ids, text, starts }: Run, first: number, end: number): string {
  if (first >= Math.min(end, ids.length)) return '';
  return text.slice(starts[first], (starts[end] ?? text.length + 1) - 1);
}

async function readLists(
  { tx, view }: StateContext,
  host: string,
  viewer: Viewer,
  before: SegmentList | undefined,
): Promise<Lists> {
  const { rows, profiles } = await readPeople(tx, viewer);
  const { active, gone } = ordinary(rows, viewer, view);
  // One account after the other: objects of ten thousand accounts at once would be moved by every garbage collection.
  const toText = (row: ListedRow) => JSON.stringify(toWireListed(row, host, viewer, profiles));
  const runs = await inParts(active, RUN_LENGTH, async (some) => runOf(some, toText));
  return {
    active: runs,
    segmentList: await segmentList(
      runs.map(({ text }, index) => before?.refOf(text, index) ?? text),
      ',',
    ),
    others: {
      realm_non_active_users: new Assembled([await segment(`[${(await madeInTurns(gone, toText)).join()}]`)]),
      cross_realm_bots: new Assembled([await segment(JSON.stringify(systemBots(rows, host, viewer)))]),
    },
  };
}

function runOf(rows: readonly ListedRow[], toText: (row: ListedRow) => string): Run {
  const texts = rows.map(toText);
  const starts: number[] = [];
  let start = 0;
  for (const { length } of texts) {
    starts.push(start);
    start += length + 1;
  }
  return { ids: rows.map((row) => row.id), text: texts.join(), starts };
}
