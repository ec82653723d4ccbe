import { isDeepStrictEqual } from 'node:util';
import type { RealmRef } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import type { WriteTx } from '#kernel/store';
import { DefaultFieldFixed, FieldMissing, InvalidFieldOrder, LabelTaken, TooManyInSummary } from './errors.ts';
import { profileFieldsChanged } from './events.ts';
import { deleteField, deleteOtherChoices, insertField, listFields, setField, setFieldOrder } from './queries.ts';
import { checkedDefinition, type Definition, isKnownAccount, isReordering, MAX_IN_SUMMARY } from './definition.ts';
import type { ProfileFieldId, ProfileFieldRow } from './tables.ts';
import { FieldType } from './types.ts';
import { toWireField } from './wire.ts';

/** Adds a field behind all others. See protocol/profile-fields#definitions. */
export function addField(context: Context, realm: RealmRef, definition: Definition): Promise<ProfileFieldRow> {
  return context.store.write(async (tx) => {
    await lockLog(tx, realm.id);
    const known = await listFields(tx, realm.id);
    if (definition.display_in_profile_summary) assertRoomInSummary(known);
    const columns = checkedDefinition(definition);
    assertLabelFree(known, columns.name);
    const field = await insertField(tx, realm.id, columns);
    await announce(tx, realm);
    return field;
  });
}

/** What of a field may change; undefined stays. */
export type FieldChange = { readonly [K in Exclude<keyof Definition, 'field_type'>]: Definition[K] | undefined };

/**
 * Changes a field. Of one that the server names, only what does not name it. See protocol/profile-fields#definitions.
 */
export async function updateField(
  context: Context,
  realm: RealmRef,
  id: ProfileFieldId,
  change: FieldChange,
): Promise<void> {
  await context.store.write(async (tx) => {
    await lockLog(tx, realm.id);
    const known = await listFields(tx, realm.id);
    const field = known.find((row) => row.id === id);
    if (!field) throw FieldMissing({ id });
    const others = known.filter((row) => row.id !== id);
    if (change.display_in_profile_summary) assertRoomInSummary(others);
    if (isKnownAccount(field) && renames(field, change)) throw DefaultFieldFixed();
    const { id: _id, realm_id: _realm, position: _position, ...before } = field;
    const columns = checkedDefinition(changed(before, change));
    assertLabelFree(others, columns.name);
    if (isDeepStrictEqual(before, columns)) return;
    await setField(tx, realm.id, id, columns);
    if (field.field_type === FieldType.choice)
      await deleteOtherChoices(tx, realm.id, id, Object.keys(columns.field_data ?? {}));
    await announce(tx, realm);
  });
}

/** Deletes a field, and what everybody has filled in. See protocol/profile-fields#definitions. */
export async function removeField(context: Context, realm: RealmRef, id: ProfileFieldId): Promise<void> {
  await context.store.write(async (tx) => {
    await lockLog(tx, realm.id);
    if (!(await deleteField(tx, realm.id, id))) throw FieldMissing({ id });
    await announce(tx, realm);
  });
}

/** Puts the fields into an order that names each of them once. See protocol/profile-fields#definitions. */
export async function reorderFields(
  context: Context,
  realm: RealmRef,
  order: readonly ProfileFieldId[],
): Promise<void> {
  await context.store.write(async (tx) => {
    await lockLog(tx, realm.id);
    const known = (await listFields(tx, realm.id)).map((field) => field.id);
    if (!isReordering(known, order)) throw InvalidFieldOrder();
    if (order.length === 0) return;
    await setFieldOrder(tx, realm.id, order);
    await announce(tx, realm);
  });
}

async function announce(tx: WriteTx, realm: RealmRef): Promise<void> {
  const fields = (await listFields(tx, realm.id)).map(toWireField);
  tx.emit(profileFieldsChanged(realm.id, { fields }));
}

function assertRoomInSummary(others: readonly ProfileFieldRow[]): void {
  if (others.filter((row) => row.display_in_profile_summary).length >= MAX_IN_SUMMARY) throw TooManyInSummary();
}

function assertLabelFree(others: readonly ProfileFieldRow[], name: string): void {
  if (others.some((row) => row.name === name)) throw LabelTaken();
}

/** Whether a change touches what the server says of a field: its label, hint and kind of account. */
function renames(field: ProfileFieldRow, { name, hint, field_data }: FieldChange): boolean {
  return (
    (name !== undefined && name !== field.name) ||
    (hint !== undefined && hint !== field.hint) ||
    (field_data !== undefined && !isDeepStrictEqual(field_data, field.field_data))
  );
}

/** The columns with what was given instead of what was. */
function changed(before: Definition, change: FieldChange): Definition {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(given) };
}
