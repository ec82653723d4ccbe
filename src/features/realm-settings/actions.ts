import type { Actor, RealmRef, RealmRefWriteTx } from '#kernel/auth';
import { OwnerRequired } from '#kernel/errors';
import type { GroupId } from '#kernel/ids';
import { deleteQueuesOf, lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import { type GroupSettingValue, isOwner } from '#kernel/permissions';
import type { RealmWriteTx } from '#kernel/store';
import {
  announceFullMembers,
  assertAllowed,
  type Change,
  changedValue,
  readValues,
  storeValue,
} from '#features/groups';
import {
  lockRealm,
  OWNERS_SETTINGS,
  REALM_GROUP_SETTINGS,
  REALM_SETTINGS,
  type RealmSettings,
  type RealmGroupSettingName,
  type RealmRow,
  setRealmGroups,
  setRealmName,
  setRealmSettings,
  settingsOf,
} from '#features/realms';
import { renderMarkdown } from '#features/rendering';
import { OwnersLockedOut, ownersGetIn, tellOfDemand } from '#features/sign-in';
import { listGuestIds } from '#features/users';
import { assertChannels, type Sent, wantedSettings } from './check.ts';
import { realmUpdated, realmValuesUpdated } from './events.ts';
import { toWireMethods } from './to-wire.ts';

type Values = Record<string, unknown>;
type GroupChanges = { readonly [K in RealmGroupSettingName]?: Change | undefined };

/**
 * Changes settings of the organization and returns the new values of those that really changed. See
 * protocol/organizations#changing-settings.
 */
export async function updateRealm(context: Context, actor: Actor, sent: Sent & GroupChanges): Promise<Values> {
  if (!isOwner(actor) && OWNERS_SETTINGS.some((name) => sent[name] !== undefined)) throw OwnerRequired();
  const wanted = wantedSettings(context, actor.realm, sent);
  const rendered =
    wanted.description === undefined
      ? undefined
      : (await renderMarkdown(context, actor.realm, wanted.description)).html;
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    await assertChannels(tx, wanted);
    const row = await lockRealm(tx);
    const { authentication_methods } = wanted;
    if (authentication_methods && !(await ownersGetIn(context, tx, { authentication_methods })))
      throw OwnersLockedOut();
    const { held, former } = await changeGroups(tx, row, sent);
    const changed = await changeSettings(tx, row, { ...wanted, ...demandOf(row, wanted, tx.now) });
    if (changed['second_factor_required_since'] !== undefined) await tellOfDemand(tx);
    const name = typeof sent['name'] === 'string' && sent['name'] !== row.name ? sent['name'] : undefined;
    if (name !== undefined) {
      await setRealmName(tx, name);
      changed['name'] = name;
    }
    const before = { ...settingsOf(row), name: row.name, ...former };
    announce(context, tx, { ...changed, ...held }, { rendered, before });
    if (wanted.waiting_period_threshold !== undefined) {
      const days = { old: settingsOf(row).waiting_period_threshold, new: wanted.waiting_period_threshold };
      await announceFullMembers(context, tx, days);
    }
    // Guests' clients register again, because whom they may know of has changed.
    if (held['can_access_all_users_group'] !== undefined) await deleteQueuesOf(tx, await listGuestIds(tx));
    // The time is derived from what was sent, so the answer leaves it out; clients get it by the event.
    const { second_factor_required_since: _since, ...stored } = changed;
    return { ...answer(context, actor.realm, stored), ...held };
  });
}

/** Stores the groups that hold permissions; returns the changed values, and the former ones. */
async function changeGroups(
  tx: RealmRefWriteTx,
  row: RealmRow,
  changes: GroupChanges,
): Promise<{ readonly held: Values; readonly former: Values }> {
  const held: Record<string, GroupSettingValue> = {};
  const names = REALM_GROUP_SETTINGS.map(({ name }) => name).filter((name) => changes[name] !== undefined);
  const known = await readValues(
    tx,
    names.map((name) => row[name]),
  );
  const former = Object.fromEntries(names.map((name) => [name, known.get(row[name]) ?? row[name]]));
  const groups: Partial<Record<RealmGroupSettingName, GroupId>> = {};
  for (const setting of REALM_GROUP_SETTINGS) {
    const change = changes[setting.name];
    const value = change && (await changedValue(tx, row[setting.name], change));
    if (value === undefined) continue;
    await assertAllowed(tx, setting, value);
    const group = await storeValue(tx, value, row[setting.name]);
    groups[setting.name] = group;
    held[setting.name] = value;
  }
  if (Object.keys(groups).length > 0) await setRealmGroups(tx, groups);
  return { held, former };
}

/** Stores the push service's status of an organization: whether it accepts its notifications, and until when. */
export async function setPushStatus(
  context: Context,
  realm: RealmRef,
  status: { readonly isTaken: boolean; readonly endsAt: number | null },
): Promise<void> {
  const wanted = {
    push_notifications_enabled: status.isTaken,
    push_notifications_enabled_end_timestamp: status.endsAt,
  };
  await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const row = await lockRealm(tx);
    announce(context, tx, await changeSettings(tx, row, wanted), {
      rendered: undefined,
      before: settingsOf(row),
    });
  });
}

async function changeSettings(tx: RealmWriteTx, row: RealmRow, wanted: Values): Promise<Values> {
  const before = new Map<string, unknown>(Object.entries(settingsOf(row)));
  const changed = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name))),
  );
  if (Object.keys(changed).length > 0) await setRealmSettings(tx, { ...row.settings, ...changed });
  return changed;
}

/**
 * The values that follow from a change of the required roles: if more roles need a second factor, the grace period
 * begins again.
 */
function demandOf(row: RealmRow, { second_factor_required_role: wanted }: Partial<RealmSettings>, now: number): Values {
  if (wanted === undefined) return {};
  if (wanted === 0) return { second_factor_required_since: 0 };
  return wanted > settingsOf(row).second_factor_required_role ? { second_factor_required_since: now } : {};
}

const announcedOf = new Map<string, string>(
  Object.entries(REALM_SETTINGS).map(([name, { announced }]) => [name, announced]),
);

/**
 * Emits one event for each value, and one for all values that are announced together. See
 * protocol/organizations#fields, column upd.
 */
function announce(
  context: Context,
  tx: RealmRefWriteTx,
  changed: Values,
  { rendered, before }: { readonly rendered: string | undefined; readonly before: Values },
): void {
  const together: Values = {};
  for (const [property, value] of Object.entries(changed)) {
    const isAlone = property === 'name' || announcedOf.get(property) === 'update';
    if (isAlone) tx.emit(realmUpdated({ property, value }, { before: { [property]: before[property] } }));
    else together[property] = shown(context, tx.realm, [property, value]);
  }
  if ('description' in changed) together['rendered_description'] = rendered;
  if ('topics_policy' in changed) together['mandatory_topics'] = changed['topics_policy'] === 'disable_empty_topic';
  const names = Object.keys(together);
  if (names.length === 0) return;
  const former = names.flatMap((name): [string, unknown][] => (name in before ? [[name, before[name]]] : []));
  const payload = { property: 'default', data: together };
  tx.emit(realmValuesUpdated(payload, { before: Object.fromEntries(former) }));
}

/** The value of a setting as clients see it. */
function shown(context: Context, realm: RealmRef, [name, value]: readonly [string, unknown]): unknown {
  if (name !== 'authentication_methods' || typeof value !== 'object' || value === null) return value;
  return toWireMethods(
    context,
    realm,
    Object.fromEntries(Object.entries(value).map(([method, isOn]) => [method, isOn === true])),
  );
}

/**
 * The values of the answer: texts are acknowledged, other values repeated. See
 * protocol/organizations#changing-settings.
 */
function answer(context: Context, realm: RealmRef, changed: Values): Values {
  return Object.fromEntries(
    Object.entries(changed).map(([name, value]) => [
      name,
      typeof value === 'string' ? 'updated' : shown(context, realm, [name, value]),
    ]),
  );
}
