import { randomUUID } from 'node:crypto';
import { furnish } from '#features/first-day';
import { insertSystemGroups } from '#features/groups';
import {
  insertRealm,
  readRealm,
  REALM_GROUP_SETTINGS,
  type RealmGroupSettingName,
  realmRefOf,
  type RealmSettings,
  setRealmGroups,
} from '#features/realms';
import { hashPassword, passwordFault, setPasswordHash, USUAL_RULES } from '#features/sign-in';
import { settingsOfNewUser } from '#features/user-settings';
import { insertUser, nameFault, SystemBot, type UserRow } from '#features/users';
import { record } from '#kernel/audit';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { insertLog } from '#kernel/events';
import { asId, type GroupId, recordOf } from '#kernel/ids';
import { isMailAddress } from '#kernel/mail';
import { Role, type SystemGroupName } from '#kernel/permissions';
import { inRealm, ofRealm, type WriteTx } from '#kernel/store';
import { oneLine } from '#kernel/text';

/** A new organization and the person who will own it. */
interface NewOrganization {
  /** Empty for the root domain. */
  readonly subdomain: string;
  readonly name: string;
  readonly owner: { readonly email: string; readonly full_name: string; readonly password: string };
  readonly settings?: Partial<RealmSettings>;
  /** Without first channels and greetings, because it will be filled by an import. */
  readonly isEmpty?: boolean;
}

interface Made {
  readonly realm: RealmRef;
  readonly owner: UserRow;
}

/**
 * Creates an organization with its groups, system bots, owner and, unless `isEmpty`, first channels, in one
 * transaction.
 */
export async function createOrganization(context: Context, input: NewOrganization): Promise<Made> {
  const hash = await hashPassword(input.owner.password);
  return context.store.write((tx) => createWithin(context, tx, input, hash));
}

/** The same inside a transaction, with the hash of the owner's password. */
export async function createWithin(context: Context, tx: WriteTx, input: NewOrganization, hash: string): Promise<Made> {
  const realm = await insertOrganization(context, tx, input);
  const own = inRealm(tx, realm);
  for (const { full_name, local } of Object.values(SystemBot)) {
    await insertUser(own, {
      realm_id: realm.id,
      email: `${local}@${realm.host}`,
      full_name,
      role: Role.member,
      is_bot: true,
      is_system_bot: true,
      bot_type: 1,
      avatar_source: 'J',
    });
  }
  const { email, full_name } = input.owner;
  const owner = await insertUser(own, {
    realm_id: realm.id,
    email,
    full_name,
    role: Role.owner,
    avatar_source: 'J',
    ...(await settingsOfNewUser(own)),
  });
  await setPasswordHash(own, owner.id, hash);
  record(own, { action: 'organization.added', target: { kind: 'organization', name: input.name } });
  if (!input.isEmpty) await furnish(own, owner);
  return { realm, owner };
}

async function insertOrganization(context: Context, tx: WriteTx, input: NewOrganization): Promise<RealmRef> {
  const row = { string_id: input.subdomain, name: input.name, uuid: randomUUID(), settings: input.settings ?? {} };
  const none = groupColumns(() => asId<GroupId>(0));
  const id = await insertRealm(tx, row, none);
  const own = ofRealm(tx, id);
  await insertLog(own);
  const groups = await insertSystemGroups(own);
  await setRealmGroups(
    own,
    groupColumns((name) => groups[name]),
  );
  return realmRefOf(await readRealm(own), context.server);
}

function groupColumns(idOf: (name: SystemGroupName) => GroupId): Record<RealmGroupSettingName, GroupId> {
  const byName = new Map(REALM_GROUP_SETTINGS.map((setting) => [setting.name, setting.default]));
  return recordOf([...byName.keys()], (name) => {
    const group = byName.get(name) ?? 'role:nobody';
    return idOf(group === 'channel_creator' || group === 'group_creator' ? 'role:nobody' : group);
  });
}

/** Longest name of an organization, in code points. */
export const MAX_NAME = 40;

/** The input for a new organization: its name and its owner. */
export interface Founding {
  readonly name: string;
  readonly full_name: string;
  readonly email: string;
  readonly password: string;
}

/** What is wrong with each part, for the person who filled it in. */
export type FoundingFaults = { readonly [part in keyof Founding]?: string | undefined };

/** Returns what is wrong with the input; undefined if nothing is. */
export function foundingFaults({ name, full_name, email, password }: Founding): FoundingFaults | undefined {
  const faults: FoundingFaults = {
    name: organizationNameFault(name),
    full_name: nameFault(full_name),
    email: isMailAddress(email) ? undefined : 'Enter your email address.',
    password: passwordFault(password, [name, full_name, email], USUAL_RULES),
  };
  return Object.values(faults).some((fault) => fault !== undefined) ? faults : undefined;
}

function organizationNameFault(name: string): string | undefined {
  if (name === '') return 'The organization needs a name.';
  if (oneLine(name) !== name) return "The organization's name is one line.";
  return [...name].length > MAX_NAME ? `The organization's name has more than ${MAX_NAME} characters.` : undefined;
}
