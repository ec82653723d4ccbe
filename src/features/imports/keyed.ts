import { inChunks, insertWhole, type RealmWriteTx, type WholeRow, type WriteTx } from '#kernel/store';
import type { Entry } from './entry.ts';
import { idsIn } from './ids.ts';
import { type Plan, reserveIds } from './plan.ts';

/** Tables whose rows have an ID, and what the archive calls them. */
export const SOURCES = {
  alert_word: 'zerver_alertword',
  channel_folder: 'zerver_channelfolder',
  draft: 'zerver_draft',
  navigation_view: 'zerver_navigationview',
  profile_field: 'zerver_customprofilefield',
  reaction: 'zerver_reaction',
  realm_domain: 'zerver_realmdomain',
  realm_emoji: 'zerver_realmemoji',
  realm_linkifier: 'zerver_realmfilter',
  realm_playground: 'zerver_realmplayground',
  saved_snippet: 'zerver_savedsnippet',
  scheduled_message: 'zerver_scheduledmessage',
  submessage: 'zerver_submessage',
} as const;
export type Keyed = keyof typeof SOURCES;
/** The row that an entry becomes under an ID; undefined for one that is left out. */
export type ToRow<K extends Keyed> = (row: Entry, id: number) => WholeRow<K> | undefined;

/** Rows that are built and stored together. */
const CHUNK = 1000;

/** The tables of the plan, whose IDs are decided already because others name them. */
const PLANNED = {
  realm_emoji: 'emoji',
  profile_field: 'fields',
  channel_folder: 'folders',
} as const;

/** Runs work in a transaction of its own. */
export type Write = <T>(work: (tx: RealmWriteTx) => Promise<T>) => Promise<T>;

/** Stores the rows of a table, with the IDs they had where nothing stands in the way; how many there were. */
export async function keyed<K extends Keyed>(tx: WriteTx, plan: Plan, name: K, toRow: ToRow<K>): Promise<number> {
  return inParts({ run: (work) => work(tx), name, toRow }, plan);
}

/** The same for a table of any size, each part in a transaction of its own. */
export async function keyedInParts<K extends Keyed>(
  write: Write,
  plan: Plan,
  name: K,
  toRow: ToRow<K>,
): Promise<number> {
  return inParts({ run: write, name, toRow }, plan);
}

interface Storing<K extends Keyed> {
  readonly run: <T>(work: (tx: WriteTx) => Promise<T>) => Promise<T>;
  readonly name: K;
  readonly toRow: ToRow<K>;
}

async function inParts<K extends Keyed>({ run, name, toRow }: Storing<K>, plan: Plan): Promise<number> {
  const entries = plan.tables.rows(SOURCES[name]);
  const planned = Object.entries(PLANNED).find(([table]) => table === name)?.[1];
  const ids = planned ? plan[planned] : await run((tx) => reserveIds(tx, name, name, idsIn(entries)));
  let count = 0;
  // Stored in chunks: an archive has hundreds of thousands of reactions.
  for (const some of inChunks(entries, CHUNK)) {
    const rows = some.flatMap((row) => toRow(row, ids.of(row.id('id')) ?? ids.fresh()) ?? []);
    await run((tx) => insertWhole(tx, name, rows));
    count += rows.length;
  }
  return count;
}
