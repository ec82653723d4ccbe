import type { Tables as StoredTables } from '#kernel/store';
import { inChunks, insertWhole, type WholeRow, type WriteTx } from '#kernel/store';
import type { Entry } from './entry.ts';
import { idsIn } from './ids.ts';
import { type Plan, reserveIds } from './plan.ts';

/** Tables whose rows have an ID. */
export type Keyed = { [K in keyof StoredTables]: 'id' extends keyof StoredTables[K] ? K : never }[keyof StoredTables];
/** The row that an entry becomes under an ID; undefined for one that is left out. */
export type ToRow<K extends Keyed> = (row: Entry, id: number) => WholeRow<K> | undefined;

/** Rows that are made and stored at once. */
const CHUNK = 1000;

/** The tables of the plan, whose IDs are decided already because others name them. */
const PLANNED = {
  realm_emoji: 'emoji',
  profile_field: 'fields',
  channel_folder: 'folders',
} as const;

/** Stores the rows of a table, with the IDs they had where nothing stands in the way; how many there were. */
export async function keyed<K extends Keyed>(
  tx: WriteTx,
  plan: Plan,
  name: K,
  entries: readonly Entry[],
  toRow: ToRow<K>,
): Promise<number> {
  const planned = Object.entries(PLANNED).find(([table]) => table === name)?.[1];
  const ids = planned ? plan[planned] : await reserveIds(tx, name, name, idsIn(entries));
  let count = 0;
  // Never all of them at once: an archive has hundreds of thousands of reactions.
  for (const some of inChunks(entries, CHUNK)) {
    const rows = some.flatMap((row) => toRow(row, ids.of(row.id('id')) ?? ids.fresh()) ?? []);
    await insertWhole(tx, name, rows);
    count += rows.length;
  }
  return count;
}
