import type { DeliveryId, MessageId, RecipientId, UserId } from '#kernel/ids';
import { compiled, inChunks, insertWhole, type RealmReadTx, type RealmWriteTx, sql } from '#kernel/store';
import type { DeliveredRow } from '../../core/index.ts';

/** The messages of a delivery that a user received: those with IDs from first to last. */
type Received = Omit<DeliveredRow, 'realm_id'>;

/** Most rows of one statement. */
const CHUNK = 2000;

/** Begins a delivery of messages that were moved to a conversation. */
export async function insertDelivery(tx: RealmWriteTx, recipient_id: RecipientId): Promise<DeliveryId> {
  const row = { realm_id: tx.realmId, recipient_id };
  return (await tx.db.insertInto('delivery').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** Gives users messages of a delivery. */
export async function insertDelivered(tx: RealmWriteTx, rows: readonly Received[]): Promise<void> {
  await insertWhole(
    tx,
    'delivered_user',
    rows.map((row) => ({ realm_id: tx.realmId, ...row })),
  );
}

/** Puts messages into a delivery, and out of the one that they were in; null for none. */
export async function setDelivery(
  tx: RealmWriteTx,
  ids: readonly MessageId[],
  delivery_id: DeliveryId | null,
): Promise<void> {
  for (const chunk of inChunks(ids, CHUNK))
    await tx.db
      .updateTable('message')
      .set({ delivery_id })
      .where('realm_id', '=', tx.realmId)
      .where(tx.dialect.anyOf('id', chunk))
      .execute();
}

/** What each of the users received by some deliveries. */
export const deliveredTo = compiled(
  ({ db, realmId, dialect }, users: readonly UserId[], deliveries: readonly DeliveryId[]) =>
    db
      .selectFrom('delivered_user')
      .select(['delivery_id', 'user_id', 'first_id', 'last_id'])
      .where('realm_id', '=', realmId)
      .where(dialect.anyOf('delivery_id', deliveries))
      .where(dialect.anyOf('user_id', users)),
);

/** How many rows say who received some deliveries; counts no farther than `most`. */
export async function countDelivered(
  tx: RealmReadTx,
  deliveries: readonly DeliveryId[],
  most: number,
): Promise<number> {
  if (deliveries.length === 0) return 0;
  const [found] = await countRows(tx, deliveries, most);
  return Number(found?.count ?? 0);
}

const countRows = compiled(
  ({ realmId, dialect }, deliveries: readonly DeliveryId[], most: number) => sql<{ count: number }>`
    select count(*) as count from (select 1 from delivered_user
      where realm_id = ${realmId} and ${dialect.anyOf('delivery_id', deliveries)} limit ${most}) r`,
);

/** Rows that are read before other requests are served. */
const ROWS_AT_ONCE = 10_000;

/**
 * What everybody received by some deliveries, in slices: of a thousand deliveries to a thousand people, a million rows.
 */
export async function* deliveredInSlices(
  tx: RealmReadTx,
  deliveries: readonly DeliveryId[],
): AsyncGenerator<readonly Received[]> {
  let left: readonly DeliveryId[] = deliveries.toSorted((a, b) => a - b);
  let [last]: readonly Received[] = [];
  while (left.length > 0) {
    const rows = await deliveredAfter(tx, left, last);
    yield rows;
    last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    const { delivery_id } = last;
    left = left.filter((id) => id >= delivery_id);
    await new Promise(setImmediate);
  }
}

async function deliveredAfter(
  { db, realmId, dialect }: RealmReadTx,
  deliveries: readonly DeliveryId[],
  last: Received | undefined,
): Promise<readonly Received[]> {
  let query = db
    .selectFrom('delivered_user')
    .select(['delivery_id', 'user_id', 'first_id', 'last_id'])
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('delivery_id', deliveries));
  if (last)
    query = query.where(
      sql<boolean>`(delivery_id, user_id, first_id) > (${last.delivery_id}, ${last.user_id}, ${last.first_id})`,
    );
  return query.orderBy('delivery_id').orderBy('user_id').orderBy('first_id').limit(ROWS_AT_ONCE).execute();
}

/** Deletes those of the deliveries of which no message is left, because all were moved on or deleted. */
export async function deleteEmptied(tx: RealmWriteTx, deliveries: readonly DeliveryId[]): Promise<void> {
  if (deliveries.length === 0) return;
  const emptied = await withoutMessages(tx, deliveries);
  if (emptied.length === 0) return;
  // One by one: a delivery to everybody has as many rows as one statement should delete.
  for (const { id } of emptied) {
    await tx.db.deleteFrom('delivered_user').where('realm_id', '=', tx.realmId).where('delivery_id', '=', id).execute();
    await tx.db.deleteFrom('delivery').where('realm_id', '=', tx.realmId).where('id', '=', id).execute();
  }
}

const withoutMessages = compiled(
  ({ realmId, dialect }, deliveries: readonly DeliveryId[]) => sql<{ id: DeliveryId }>`select d.id from delivery d
    where d.realm_id = ${realmId} and ${dialect.anyOf('d.id', deliveries)}
      and not exists (select 1 from message m where m.delivery_id = d.id)`,
);
