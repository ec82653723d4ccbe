import type { UserId } from '#kernel/ids';
import { type RealmReadTx, type RealmWriteTx, setPositions, type WriteTx } from '#kernel/store';
import type { ProfileFieldId, ProfileFieldRow, ProfileValueRow } from './tables.ts';

/** All fields in their order. */
export function listFields(tx: RealmReadTx): Promise<readonly ProfileFieldRow[]> {
  return tx.db
    .selectFrom('profile_field')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

type Columns = Omit<ProfileFieldRow, 'id' | 'realm_id' | 'position'>;

const written = <T extends Partial<Columns>>(columns: T) => ({
  ...columns,
  field_data: columns.field_data ? JSON.stringify(columns.field_data) : null,
});

/** Stores a field after all others: its position is its own ID. */
export async function insertField(tx: RealmWriteTx, columns: Columns): Promise<ProfileFieldRow> {
  const made = await tx.db
    .insertInto('profile_field')
    .values({ ...written(columns), realm_id: tx.realmId, position: 0 })
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx.db
    .updateTable('profile_field')
    .set({ position: made.id })
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', made.id)
    .execute();
  return { ...made, position: made.id };
}

export async function setField(tx: RealmWriteTx, id: ProfileFieldId, columns: Columns): Promise<void> {
  await tx.db
    .updateTable('profile_field')
    .set(written(columns))
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .execute();
}

/** Sets the fields' positions to those in the list, from 0. */
export function setFieldOrder(tx: RealmWriteTx, ids: readonly ProfileFieldId[]): Promise<void> {
  return setPositions(tx, 'profile_field', ids);
}

/** Deletes a field with its values; returns false if there is none with this ID. */
export async function deleteField(tx: RealmWriteTx, id: ProfileFieldId): Promise<boolean> {
  await tx.db.deleteFrom('profile_value').where('realm_id', '=', tx.realmId).where('field_id', '=', id).execute();
  const { numDeletedRows } = await tx.db
    .deleteFrom('profile_field')
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes the values of a field that are not among its choices. */
export async function deleteOtherChoices(
  tx: RealmWriteTx,
  id: ProfileFieldId,
  choices: readonly string[],
): Promise<void> {
  await tx.db
    .deleteFrom('profile_value')
    .where('realm_id', '=', tx.realmId)
    .where('field_id', '=', id)
    .where((where) => where.not(tx.dialect.anyOfText('field_value', choices)))
    .execute();
}

/** One user's values by field. */
export async function listValues(tx: RealmReadTx, userId: UserId): Promise<ReadonlyMap<ProfileFieldId, string>> {
  const rows = await tx.db
    .selectFrom('profile_value')
    .select(['field_id', 'field_value'])
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .execute();
  return new Map(rows.map((row) => [row.field_id, row.field_value]));
}

/** Stores a user's values; replaces existing values of the same fields. */
export async function upsertValues(
  tx: WriteTx,
  owner: Pick<ProfileValueRow, 'realm_id' | 'user_id'>,
  values: readonly Omit<ProfileValueRow, 'realm_id' | 'user_id'>[],
): Promise<void> {
  if (values.length === 0) return;
  await tx.db
    .insertInto('profile_value')
    .values(values.map((value) => ({ ...owner, ...value })))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'field_id']).doUpdateSet((set) => ({
        field_value: set.ref('excluded.field_value'),
        rendered_value: set.ref('excluded.rendered_value'),
      })),
    )
    .execute();
}

export async function deleteValues(
  tx: RealmWriteTx,
  userId: UserId,
  fieldIds: readonly ProfileFieldId[],
): Promise<void> {
  if (fieldIds.length === 0) return;
  await tx.db
    .deleteFrom('profile_value')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where(tx.dialect.anyOf('field_id', fieldIds))
    .execute();
}
