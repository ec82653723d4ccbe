import {
  addGroupWithin,
  changeMembershipWithin,
  deactivateGroupWithin,
  directMembers,
  findGroupByName,
  findGroups,
  GROUP_SETTINGS,
  type GroupRow,
  listNamedGroupsAfter,
  updateGroupWithin,
} from '#features/groups';
import { administrationOf } from '#features/people';
import { findUsers, type UserRow } from '#features/users';
import type { ActorWriteTx } from '#kernel/auth';
import { nextTurn } from '#kernel/endpoint';
import { lockLog } from '#kernel/events';
import { asId, type GroupId, recordOf, type UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { badValue, noSuch, ScimFault } from './fault.ts';
import { changesOf, type WantedGroup, wantedGroupOf } from './group-values.ts';
import type { PatchStep } from './patch.ts';
import { findByExternalId, listResources, setResource } from './queries.ts';
import { assertVersion, type Resource, versionOf, withMeta } from './resource.ts';
import { lastOf, type Listing } from './search.ts';
import { isPerson } from './user-resource.ts';
import type { ScimContext } from './users.ts';

/** Members that are read at once, before other requests are served. */
const MEMBERS_AT_ONCE = 1_000;

/** Groups that people made, for directories. The system groups follow the roles and cannot be written. */
export const groups: Listing = {
  byIds: (scim, ids) => reading(scim, async (tx) => toList(tx, scim, await findRows(tx, ids))),
  byName: (scim, name) =>
    reading(scim, async (tx) => {
      const row = await findGroupByName(tx, name);
      return row ? [row.id] : [];
    }),
  byExternalId: (scim, externalId) => reading(scim, (tx) => findByExternalId(tx, 'group', externalId)),
  after: (scim, id, most) =>
    reading(scim, async (tx) => {
      const rows = await listNamedGroupsAfter(tx, id, most);
      return { some: await toList(tx, scim, rows), next: lastOf(rows, most) };
    }),
  idsAfter: (scim, id, most) =>
    reading(scim, async (tx) => {
      const rows = await listNamedGroupsAfter(tx, id, most);
      return { some: rows.map((row) => row.id), next: lastOf(rows, most) };
    }),
  atOnce: 1,
  names: ['displayname'],
};

function reading<T>({ context, realm }: ScimContext, read: (tx: RealmReadTx) => Promise<T>): Promise<T> {
  return context.store.in(realm).query(read);
}

async function findRows(tx: RealmReadTx, ids: readonly number[]): Promise<readonly GroupRow[]> {
  const found = await findGroups(tx, ids.map(asId<GroupId>));
  return [...found.values()];
}

/** Finds people by ID in batches, because a group may contain everybody of a large organization. */
async function findPeople(tx: RealmReadTx, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, UserRow>> {
  const people = new Map<UserId, UserRow>();
  for (let at = 0; at < ids.length; at += MEMBERS_AT_ONCE) {
    for (const [id, row] of await findUsers(tx, ids.slice(at, at + MEMBERS_AT_ONCE)))
      if (isPerson(row)) people.set(id, row);
    await nextTurn();
  }
  return people;
}

async function toList(tx: RealmReadTx, { base }: ScimContext, rows: readonly GroupRow[]): Promise<readonly Resource[]> {
  const shown = rows.filter((row) => row.group_kind === 'named' && !row.deactivated);
  const ids = shown.map(({ id }) => id);
  const members = await directMembers(tx, ids);
  const said = await listResources(tx, 'group', ids);
  const list: Resource[] = [];
  for (const { id, name, date_created } of shown) {
    const externalId = said.get(id)?.external_id ?? null;
    const attributes = {
      ...(externalId !== null && { externalId }),
      displayName: name,
      members: await toMembers(tx, base, members.get(id) ?? []),
    };
    list.push(
      withMeta({ base, resourceType: 'Group', id, created: date_created }, attributes, await versionOf(attributes)),
    );
  }
  return list;
}

/** A group's members as directories see them. */
async function toMembers(tx: RealmReadTx, base: string, ids: readonly UserId[]) {
  const members: { value: string; display: string; type: string; $ref: string }[] = [];
  for (const { id, full_name } of (await findPeople(tx, ids)).values()) {
    members.push({ value: String(id), display: full_name, type: 'User', $ref: `${base}/Users/${id}` });
    if (members.length % MEMBERS_AT_ONCE === 0) await nextTurn();
  }
  return members;
}

async function readGroup(tx: RealmReadTx, scim: ScimContext, id: number): Promise<Resource> {
  const [found] = await toList(tx, scim, await findRows(tx, [id]));
  if (!found) throw noSuch();
  return found;
}

/** Creates a group, or reactivates the deactivated one with this name. */
export async function createGroup(scim: ScimContext, body: Readonly<Record<string, unknown>>): Promise<Resource> {
  const { context, realm } = scim;
  const wanted = wantedGroupOf(body);
  const { name } = wanted;
  if (name === undefined) throw badValue('displayName is missing.');
  const actor = await administrationOf(context, realm);
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const holder = await findGroupByName(tx, name);
    if (holder && !holder.deactivated) throw new ScimFault(409, 'displayName is in use.', 'uniqueness');
    const id = holder
      ? await bringBack(tx, holder.id)
      : await addGroupWithin(tx, { name, description: '', members: [], subgroups: [], ...nothing });
    await setResource(tx, 'group', id, { external_id: wanted.externalId ?? null });
    await bringTo(scim, tx, id, { members: new Set<number>(), ...wanted });
    return readGroup(tx, scim, id);
  });
}

const nothing = recordOf(
  GROUP_SETTINGS.map(({ name }) => name),
  () => undefined,
);

async function bringBack(tx: ActorWriteTx, id: GroupId): Promise<GroupId> {
  const change = { name: undefined, description: undefined, deactivated: false, ...nothing };
  await updateGroupWithin(tx, id, change);
  return id;
}

/** Replaces a group's attributes, including its members. */
export function replaceGroup(
  scim: ScimContext,
  id: number,
  body: Readonly<Record<string, unknown>>,
): Promise<Resource> {
  const wanted = wantedGroupOf(body);
  if (wanted.name === undefined) throw badValue('displayName is missing.');
  return changing(scim, id, () => ({ externalId: null, members: new Set<number>(), ...wanted }));
}

/** Changes a group step by step, completely or not at all. */
export function patchGroup(scim: ScimContext, id: number, steps: readonly PatchStep[]): Promise<Resource> {
  return changing(scim, id, (before) => changesOf(before, steps));
}

/** Deactivates a group. */
export async function deleteGroup(scim: ScimContext, id: number): Promise<void> {
  const { context, realm, ifMatch } = scim;
  const actor = await administrationOf(context, realm);
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    assertVersion(await readGroup(tx, scim, id), ifMatch);
    await deactivateGroupWithin(tx, asId<GroupId>(id));
  });
}

async function changing(
  scim: ScimContext,
  id: number,
  choose: (before: Resource) => WantedGroup | Promise<WantedGroup>,
): Promise<Resource> {
  const { context, realm, ifMatch } = scim;
  const actor = await administrationOf(context, realm);
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const before = await readGroup(tx, scim, id);
    assertVersion(before, ifMatch);
    await nextTurn();
    await bringTo(scim, tx, asId<GroupId>(id), await choose(before));
    return readGroup(tx, scim, id);
  });
}

/**
 * Changes a group to the wanted values. Bots and groups among its members stay, because a directory does not know of
 * them.
 */
async function bringTo(scim: ScimContext, tx: ActorWriteTx, id: GroupId, wanted: WantedGroup): Promise<void> {
  const { context } = scim;
  const row = (await findGroups(tx, [id])).get(id);
  if (!row) throw noSuch();
  const { name, members, externalId } = wanted;
  if (externalId !== undefined) await setResource(tx, 'group', id, { external_id: externalId });
  if (name !== undefined && name !== row.name)
    await updateGroupWithin(tx, id, { name, description: undefined, deactivated: undefined, ...nothing });
  if (members === undefined) return;
  const there = new Set((await directMembers(tx, [id])).get(id));
  const wantedIds = new Set([...members].map(asId<UserId>));
  await nextTurn();
  const people = await findPeople(tx, [...new Set([...there, ...wantedIds])]);
  const stranger = [...wantedIds].find((one) => !people.has(one));
  if (stranger !== undefined) throw badValue(`There is no person ${stranger}.`);
  const add = [...wantedIds].filter((one) => !there.has(one) && people.get(one)?.is_active);
  const gone = [...there].filter((one) => people.has(one) && !wantedIds.has(one));
  if (add.length + gone.length === 0) return;
  const change = { add, delete: gone, add_subgroups: [], delete_subgroups: [] };
  await nextTurn();
  await changeMembershipWithin(context, tx, id, change);
}
