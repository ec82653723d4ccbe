import { isDeepStrictEqual } from 'node:util';
import { assertListRoom } from '#features/realms';
import type { RealmRef } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import { isReordering } from '#kernel/lists';
import type { RealmWriteTx } from '#kernel/store';
import { DefaultFieldFixed, FieldMissing, InvalidFieldOrder, LabelTaken, TooManyInSummary } from './errors.ts';
import { profileFieldsChanged } from './events.ts';
import { deleteField, deleteOtherChoices, insertField, listFields, setField, setFieldOrder } from './queries.ts';
import { checkedDefinition, type Definition, isKnownAccount, MAX_IN_SUMMARY } from './definition.ts';
import type { ProfileFieldId, ProfileFieldRow } from './tables.ts';
import { FieldType } from './types.ts';
import { toWireField } from './wire.ts';

/** Adds a field after all others. See protocol/profile-fields#definitions. */
export function addField(context: Context, realm: RealmRef, definition: Definition): Promise<ProfileFieldRow> {
  return context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const known = await listFields(tx);
    if (definition.display_in_profile_summary) assertRoomInSummary(known);
    const columns = checkedDefinition(definition);
    assertLabelFree(known, columns.name);
    assertListRoom('profile fields', [...known, columns], known);
    const field = await insertField(tx, columns);
    await announce(tx);
    return field;
  });
}

/** The changes to a field; undefined members stay. */
export type FieldChange = { readonly [K in Exclude<keyof Definition, 'field_type'>]: Definition[K] | undefined };

/**
 * Changes a field. Name, hint and kind of a field that the server defines cannot change. See
 * protocol/profile-fields#definitions.
 */
export async function updateField(
  context: Context,
  realm: RealmRef,
  id: ProfileFieldId,
  change: FieldChange,
): Promise<void> {
  await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const known = await listFields(tx);
    const field = known.find((row) => row.id === id);
    if (!field) throw FieldMissing({ id });
    const others = known.filter((row) => row.id !== id);
    if (change.display_in_profile_summary) assertRoomInSummary(others);
    if (isKnownAccount(field) && renames(field, change)) throw DefaultFieldFixed();
    const { id: _id, realm_id: _realm, position: _position, ...before } = field;
    const columns = checkedDefinition(changed(before, change));
    assertLabelFree(others, columns.name);
    if (isDeepStrictEqual(before, columns)) return;
    assertListRoom('profile fields', [...others, { ...field, ...columns }], known);
    await setField(tx, id, columns);
    if (field.field_type === FieldType.choice) await deleteOtherChoices(tx, id, Object.keys(columns.field_data ?? {}));
    await announce(tx);
  });
}

/** Deletes a field with everybody's values. See protocol/profile-fields#definitions. */
export async function removeField(context: Context, realm: RealmRef, id: ProfileFieldId): Promise<void> {
  await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    if (!(await deleteField(tx, id))) throw FieldMissing({ id });
    await announce(tx);
  });
}

/** Sets the order of the fields; it must name each of them once. See protocol/profile-fields#definitions. */
export async function reorderFields(
  context: Context,
  realm: RealmRef,
  order: readonly ProfileFieldId[],
): Promise<void> {
  await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const known = (await listFields(tx)).map((field) => field.id);
    if (!isReordering(known, order)) throw InvalidFieldOrder();
    if (order.length === 0) return;
    await setFieldOrder(tx, order);
    await announce(tx);
  });
}

async function announce(tx: RealmWriteTx): Promise<void> {
  const fields = (await listFields(tx)).map(toWireField);
  tx.emit(profileFieldsChanged({ fields }));
}

function assertRoomInSummary(others: readonly ProfileFieldRow[]): void {
  if (others.filter((row) => row.display_in_profile_summary).length >= MAX_IN_SUMMARY) throw TooManyInSummary();
}

function assertLabelFree(others: readonly ProfileFieldRow[], name: string): void {
  if (others.some((row) => row.name === name)) throw LabelTaken();
}

/** Whether a change concerns what the server defines about a field: its label, hint and kind of account. */
function renames(field: ProfileFieldRow, { name, hint, field_data }: FieldChange): boolean {
  return (
    (name !== undefined && name !== field.name) ||
    (hint !== undefined && hint !== field.hint) ||
    (field_data !== undefined && !isDeepStrictEqual(field_data, field.field_data))
  );
}

/** The definition after a change. */
function changed(before: Definition, change: FieldChange): Definition {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(given) };
}
