import { addWithin, administrationOf, changeWithin, deactivateWithin, reactivateWithin } from '#features/people';
import { findUser, findUserByEmail, findUsers, listActivityAfter, listUsersAfter, type UserRow } from '#features/users';
import type { RealmRef, ActorWriteTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { lockLog, logBatch } from '#kernel/events';
import { asId, type UserId } from '#kernel/ids';
import { Role } from '#kernel/permissions';
import type { RealmReadTx } from '#kernel/store';
import { isObject } from '#kernel/text';
import { badValue, noSuch, ScimFault } from './fault.ts';
import { attributeName, matches } from './filter/index.ts';
import type { PatchStep } from './patch.ts';
import { findByExternalId, listResources, setResource } from './queries.ts';
import { assertVersion, type Resource } from './resource.ts';
import { lastOf, type Listing } from './search.ts';
import { isGone, partsOf, toUser } from './user-resource.ts';
import { fullNameOf, removeAttribute, setAttribute, type Wanted, wantedOf } from './user-values.ts';

/** Context of every operation of the interface. */
export interface ScimContext {
  readonly context: Context;
  readonly realm: RealmRef;
  /** Base address of the interface. */
  readonly base: string;
  /** The `If-Match` header: the versions that a change is for. */
  readonly ifMatch: string | undefined;
  /** Whether the client still waits for the answer. */
  readonly isAwaited: () => boolean;
}

/** People, for directories. */
export const users: Listing = {
  byIds: (scim, ids) => reading(scim, async (tx) => toList(tx, scim, await findRows(tx, ids))),
  byName: (scim, name) =>
    reading(scim, async (tx) => {
      const row = await findUserByEmail(tx, name);
      return row ? [row.id] : [];
    }),
  byExternalId: (scim, externalId) => reading(scim, (tx) => findByExternalId(tx, 'user', externalId)),
  after: (scim, id, most) =>
    reading(scim, async (tx) => {
      const rows = await listUsersAfter(tx, id, most);
      return { some: await toList(tx, scim, rows), next: lastOf(rows, most) };
    }),
  idsAfter: (scim, id, most) =>
    reading(scim, async (tx) => {
      const rows = await listActivityAfter(tx, id, most);
      const ids = rows.map((row) => row.id);
      const said = await listResources(tx, 'user', ids);
      const some = rows.filter((row) => row.is_active || said.get(row.id)?.is_deleted !== true);
      return { some: some.map((row) => row.id), next: lastOf(rows, most) };
    }),
  atOnce: 200,
  names: ['username', 'emails', 'emails.value'],
};

function reading<T>({ context, realm }: ScimContext, read: (tx: RealmReadTx) => Promise<T>): Promise<T> {
  return context.store.in(realm).query(read);
}

async function findRows(tx: RealmReadTx, ids: readonly number[]): Promise<readonly UserRow[]> {
  const rows = await findUsers(tx, ids.map(asId<UserId>));
  return [...rows.values()].toSorted((a, b) => a.id - b.id);
}

async function toList(tx: RealmReadTx, { base }: ScimContext, rows: readonly UserRow[]): Promise<readonly Resource[]> {
  const said = await listResources(
    tx,
    'user',
    rows.map(({ id }) => id),
  );
  return rows.filter((row) => !isGone(row, said.get(row.id))).map((row) => toUser(base, row, said.get(row.id)));
}

/** Creates an account, or restores the one that the directory deleted. */
export async function createUser(scim: ScimContext, body: Readonly<Record<string, unknown>>): Promise<Resource> {
  const { context, realm } = scim;
  const wanted = wantedOf(body);
  const { address } = wanted;
  if (address === undefined) throw badValue('userName is missing.');
  const actor = await administrationOf(context, realm);
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const holder = await findUserByEmail(tx, address);
    const said = holder && (await listResources(tx, 'user', [holder.id])).get(holder.id);
    if (holder && !(said?.is_deleted && !holder.is_active))
      throw new ScimFault(409, 'userName is in use.', 'uniqueness');
    if (wanted.role === Role.owner) throw new ScimFault(403, 'Owners are made by people.');
    const full_name = fullNameOf(wanted, { givenName: '' }) ?? address.slice(0, address.indexOf('@'));
    const id = holder?.id ?? (await addWithin(tx, { email: address, full_name, role: wanted.role ?? Role.member })).id;
    await setResource(tx, 'user', id, { is_deleted: false, external_id: wanted.externalId ?? null });
    await bringTo(scim, tx, id, { ...wanted, name: full_name, active: wanted.active ?? true });
    return readUser(tx, scim, id);
  }, logBatch(realm.id));
}

/** Replaces an account's attributes; attributes that are not named stay, because an account needs all of them. */
export function replaceUser(scim: ScimContext, id: number, body: Readonly<Record<string, unknown>>): Promise<Resource> {
  const wanted = wantedOf(body);
  if (wanted.address === undefined) throw badValue('userName is missing.');
  return changing(scim, id, () => ({ externalId: null, ...wanted }));
}

/** Changes an account step by step, completely or not at all. */
export function patchUser(scim: ScimContext, id: number, steps: readonly PatchStep[]): Promise<Resource> {
  return changing(scim, id, (before) => {
    const wanted: Wanted = {};
    for (const step of steps) take(wanted, before, step);
    return wanted;
  });
}

function take(wanted: Wanted, before: Resource, { op, path, value }: PatchStep): void {
  if (!path) {
    if (isObject(value)) for (const [name, one] of Object.entries(value)) setAttribute(wanted, name, one);
    return;
  }
  const name = path.part === undefined ? path.attribute : `${path.attribute}.${path.part}`;
  const { filter } = path;
  if (filter) {
    const found = Object.entries(before).find(([key]) => key.toLowerCase() === attributeName(path.attribute))?.[1];
    const isThere = Array.isArray(found) && found.some((one) => matches(one, filter));
    if (!isThere) throw new ScimFault(400, 'Nothing there fits the filter of the path.', 'noTarget');
  }
  if (op === 'remove') removeAttribute(wanted, name);
  else setAttribute(wanted, name, value);
}

/** Deactivates an account, which is then deleted for the directory. */
export async function deleteUser(scim: ScimContext, id: number): Promise<void> {
  const { context, realm, ifMatch } = scim;
  const actor = await administrationOf(context, realm);
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const before = await readUser(tx, scim, id);
    assertVersion(before, ifMatch);
    if (before['active'] === true) await deactivateWithin(context, tx, asId<UserId>(id));
    await setResource(tx, 'user', id, { is_deleted: true });
  }, logBatch(realm.id));
}

async function changing(scim: ScimContext, id: number, choose: (before: Resource) => Wanted): Promise<Resource> {
  const { context, realm, ifMatch } = scim;
  const actor = await administrationOf(context, realm);
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const before = await readUser(tx, scim, id);
    assertVersion(before, ifMatch);
    await bringTo(scim, tx, id, choose(before));
    return readUser(tx, scim, id);
  }, logBatch(realm.id));
}

async function bringTo({ context }: ScimContext, tx: ActorWriteTx, sent: number, wanted: Wanted): Promise<void> {
  const id = asId<UserId>(sent);
  const row = await findUser(tx, id);
  if (!row) throw noSuch();
  if (wanted.externalId !== undefined) await setResource(tx, 'user', id, { external_id: wanted.externalId });
  if (wanted.active === true && !row.is_active) await reactivateWithin(context, tx, id);
  await changeWithin(tx, id, {
    full_name: fullNameOf(wanted, partsOf(row.full_name)),
    role: wanted.role,
    new_email: wanted.address,
  });
  if (wanted.active === false && row.is_active) await deactivateWithin(context, tx, id);
}

async function readUser(tx: RealmReadTx, scim: ScimContext, id: number): Promise<Resource> {
  const [found] = await toList(tx, scim, await findRows(tx, [id]));
  if (!found) throw noSuch();
  return found;
}
