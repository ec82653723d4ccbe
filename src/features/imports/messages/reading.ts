import type { RecipientId, UserId } from '#kernel/ids';
import { freshIds, inChunks, insertWhole, type WholeRow, type WriteTx } from '#kernel/store';
import type { Plan } from '../plan.ts';
import type { Gathered } from './gathered.ts';

/** Stores who has read what: everything but what is unread, up to the newest message. */
export async function importReading(
  tx: WriteTx,
  { realmId: realm_id }: Plan,
  gathered: Gathered,
  readers: Iterable<readonly [user: UserId, conversation: RecipientId]>,
): Promise<void> {
  const rows: Omit<WholeRow<'read_interval'>, 'id'>[] = [];
  for (const [user_id, recipient_id] of readers) {
    const newest = gathered.newest.get(recipient_id);
    if (newest === undefined) continue;
    let first_id = 1;
    for (const id of (gathered.unread.get(`${user_id} ${recipient_id}`) ?? []).toSorted((a, b) => a - b)) {
      if (id > first_id) rows.push({ realm_id, user_id, recipient_id, first_id, last_id: id - 1 });
      first_id = id + 1;
    }
    if (first_id <= newest) rows.push({ realm_id, user_id, recipient_id, first_id, last_id: newest });
  }
  for (const chunk of inChunks(rows, 1000)) {
    const ids = await freshIds(tx, 'read_interval', chunk.length);
    await insertWhole(
      tx,
      'read_interval',
      chunk.map((row, index) => ({ id: ids[index] ?? 0, ...row })),
    );
  }
}
