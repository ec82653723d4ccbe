import { findUsers, realmUserUpdated } from '#features/users';
import { renderMarkdown } from '#features/rendering';
import type { Actor, ActorReadTx, ActorWriteTx } from '#kernel/auth';
import { everyoneInRealm, lockLog } from '#kernel/events';
import { asId, type UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { isAdministrator } from '#kernel/permissions';
import type { RealmWriteTx } from '#kernel/store';
import { FieldLocked, FieldMissing } from './errors.ts';
import { deleteValues, listFields, listValues, upsertValues } from './queries.ts';
import type { ProfileFieldId, ProfileFieldRow } from './tables.ts';
import { FieldType, MARKDOWN_TYPES } from './types.ts';
import { checkedValue, type People, type SentValue } from './value-checks.ts';

/** A client's value for one field; null removes the present value. See protocol/profile-fields#values. */
export interface ProfileItem {
  readonly id: ProfileFieldId;
  readonly value: SentValue | null;
}

/** Validated changes of a profile, with the HTML of their texts. */
export interface PreparedProfile {
  readonly items: readonly ProfileItem[];
  readonly rendered: ReadonlyMap<string, string>;
}

/** The new value of a field. */
interface Filled {
  readonly field_id: ProfileFieldId;
  readonly field_value: string | null;
  readonly rendered_value: string | null;
}

/** Changes the caller's own profile. See protocol/profile-fields#values. */
export async function updateOwnProfile(context: Context, actor: Actor, items: readonly ProfileItem[]): Promise<void> {
  const prepared = await prepareProfile(context, actor, items);
  await context.store.as(actor).write((tx) => setProfile(tx, actor.userId, prepared));
}

/** Converts items as an administrator sends them for others: an empty value removes. See protocol/users#operations. */
export function emptyRemoves(items: readonly ProfileItem[]): readonly ProfileItem[] {
  return items.map((item) => (item.value?.length === 0 ? { ...item, value: null } : item));
}

/** Checks changes of a profile and renders their texts: the slow half, outside any transaction. */
export async function prepareProfile(
  context: Context,
  actor: Actor,
  items: readonly ProfileItem[],
): Promise<PreparedProfile> {
  const filled = await context.store.as(actor).read((tx) => checkedItems(tx, items, new Map()));
  const rendered = new Map<string, string>();
  for (const text of new Set(filled.flatMap((one) => (one.rendered_value === null ? [] : [one.field_value ?? '']))))
    rendered.set(text, (await renderMarkdown(context, actor.realm, text)).html);
  return { items, rendered };
}

/** Stores prepared changes of somebody's profile after checking them again, and emits the events. */
export async function setProfile(
  tx: ActorWriteTx,
  userId: UserId,
  { items, rendered }: PreparedProfile,
): Promise<void> {
  await lockLog(tx);
  const wanted = await checkedItems(tx, items, rendered);
  const known = await listValues(tx, userId);
  const changed = wanted.filter((one) => (known.get(one.field_id) ?? null) !== one.field_value);
  const gone = changed.filter((one) => one.field_value === null).map((one) => one.field_id);
  await deleteValues(tx, userId, gone);
  const rows = changed.flatMap(({ field_value, ...rest }) => (field_value === null ? [] : [{ ...rest, field_value }]));
  await upsertValues(tx, { realm_id: tx.realmId, user_id: userId }, rows);
  for (const one of changed) announce(tx, userId, one);
}

/** Removes all of somebody's values, and emits the events. See protocol/users#deactivating. */
export async function clearProfile(tx: RealmWriteTx, userId: UserId): Promise<void> {
  const filled = [...(await listValues(tx, userId)).keys()];
  await deleteValues(tx, userId, filled);
  for (const field_id of filled) announce(tx, userId, { field_id, field_value: null, rendered_value: null });
}

function announce(tx: RealmWriteTx, userId: UserId, filled: Filled): void {
  const { field_id: id, field_value: value, rendered_value } = filled;
  const custom_profile_field = { id, value, ...(rendered_value !== null && { rendered_value }) };
  const person = { user_id: userId, custom_profile_field };
  tx.emit(realmUserUpdated({ person }, { audience: everyoneInRealm }));
}

/** Validates values and returns each field once; for a field named twice the later value counts. Checks 1 to 4. */
async function checkedItems(
  tx: ActorReadTx,
  items: readonly ProfileItem[],
  rendered: ReadonlyMap<string, string>,
): Promise<readonly Filled[]> {
  const fields = new Map((await listFields(tx)).map((field) => [field.id, field]));
  const people = await peopleIn(tx, items, fields);
  const filled = new Map<ProfileFieldId, Filled>();
  for (const { id, value } of items) {
    const field = fields.get(id);
    if (!field) throw FieldMissing({ id });
    if (!field.editable_by_user && !isAdministrator(tx.actor)) throw FieldLocked();
    const field_value = value === null ? null : checkedValue(field, value, people);
    const isMarkdown = field_value !== null && MARKDOWN_TYPES.has(field.field_type);
    filled.set(id, {
      field_id: id,
      field_value,
      rendered_value: isMarkdown ? (rendered.get(field_value) ?? '') : null,
    });
  }
  return [...filled.values()];
}

/** Users of the organization whom the items name and whom the actor may know of. */
async function peopleIn(
  tx: ActorReadTx,
  items: readonly ProfileItem[],
  fields: ReadonlyMap<ProfileFieldId, ProfileFieldRow>,
): Promise<People> {
  const { viewer } = tx.actor;
  const named = items.filter(({ id, value }) => value !== null && fields.get(id)?.field_type === FieldType.users);
  const ids = new Set(named.flatMap(({ value }) => (typeof value === 'string' || value === null ? [] : value)));
  const numbers = [...ids].filter((id) => typeof id === 'number' && Number.isSafeInteger(id));
  const rows = await findUsers(
    tx,
    numbers.map((id) => asId<UserId>(Number(id))),
  );
  return new Map([...rows].filter(([id, row]) => !row.is_system_bot && !viewer.hidden?.has(id)));
}
