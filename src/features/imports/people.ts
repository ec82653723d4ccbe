import { USER_SETTINGS } from '#features/user-settings';
import { SystemBot } from '#features/users';
import type { UserId } from '#kernel/ids';
import { ROLES, Role } from '#kernel/permissions';
import { insertWhole, type WholeRow, type WriteTx } from '#kernel/store';
import { foldCase, takeCodePoints } from '#kernel/text';
import type { Entry } from './entry.ts';
import { ImportRefused } from './entry.ts';
import type { Plan } from './plan.ts';
import { readPolicy } from './organization.ts';
import { settingsIn } from './values.ts';

/** Settings that have columns of their own. */
const COLUMNS = ['timezone', 'email_address_visibility'];
const MAX_NAME = 100;

/** Stores the people, the bots and the server's own voices; their rows by ID. `avatars`: who has a picture. */
export async function importPeople(
  tx: WriteTx,
  plan: Plan,
  options: { readonly ownerEmail: string; readonly host: string; readonly avatars: ReadonlyMap<number, string> },
): Promise<ReadonlyMap<UserId, WholeRow<'user'>>> {
  const { tables } = plan;
  const addresses = new Set<string>();
  const people = tables.rows('zerver_userprofile').map((row) => toUser(plan, row, addresses, options.avatars));
  const dummies = tables.rows('zerver_userprofile_mirrordummy').map((row) => ({
    ...toUser(plan, row, addresses, options.avatars),
    is_active: false,
  }));
  const all = withOwner(plan, [...people, ...dummies], options.ownerEmail);
  const rows = [...all, ...systemBots(plan, options.host)];
  await insertWhole(tx, 'user', rows);
  await insertWhole(tx, 'bot', bots(plan));
  plan.report.count('users', all.filter((row) => !row.is_bot).length);
  plan.report.count('bots', all.filter((row) => row.is_bot).length);
  return new Map(rows.map((row) => [row.id, row]));
}

function toUser(
  plan: Plan,
  row: Entry,
  addresses: Set<string>,
  avatars: ReadonlyMap<number, string>,
): WholeRow<'user'> {
  const id = plan.users.of(row.id('id')) ?? plan.users.fresh();
  const role = row.int('role', Role.member);
  const avatar_file = avatars.get(row.id('id')) ?? null;
  const source = row.text('avatar_source', 'J');
  const settings = settingsIn(row, USER_SETTINGS, readPolicy);
  const { timezone = '', email_address_visibility = 1 } = settings;
  const email = addressOf(plan, row, addresses, Number(id));
  const roleHere = ROLES.find((known) => known === role) ?? Role.member;
  return {
    id,
    realm_id: plan.realmId,
    email,
    email_key: foldCase(email),
    full_name: nameOf(plan, row),
    role: roleHere,
    previous_role: roleHere,
    role_event_id: 0,
    is_bot: row.bool('is_bot', false),
    bot_type: row.bool('is_bot', false) ? row.int('bot_type', 1) : null,
    bot_owner_id: plan.users.orNull(row.idOrNull('bot_owner')),
    is_system_bot: false,
    is_active: row.bool('is_active', true) && !row.bool('is_mirror_dummy', false),
    is_deleted: row.bool('is_deleted', false),
    date_joined: row.time('date_joined', plan.now),
    timezone: String(timezone),
    avatar_source: avatar_file !== null ? 'U' : source === 'G' ? 'G' : 'J',
    avatar_version: row.int('avatar_version', 1),
    avatar_file,
    email_address_visibility: Number(email_address_visibility),
    api_key_version: 1,
    may_manage_accounts: row.bool('can_create_users', false),
    user_settings: Object.fromEntries(Object.entries(settings).filter(([name]) => !COLUMNS.includes(name))),
    last_active_at: row.time('last_login', row.time('date_joined', plan.now)),
  };
}

/** The real address; the second account of one gets another. */
function addressOf({ report }: Plan, row: Entry, addresses: Set<string>, id: number): string {
  const given = (row.textOrNull('delivery_email') ?? row.text('email', '')).trim();
  const isAddress = /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(given);
  const email = !isAddress || addresses.has(foldCase(given)) ? `imported-user-${id}@hidden.invalid` : given;
  if (email !== given) report.remark('users with a made-up address', `${id}: "${takeCodePoints(given, 60)}"`);
  addresses.add(foldCase(email));
  return email;
}

function nameOf({ report }: Plan, row: Entry): string {
  const given = row.text('full_name', '');
  const name = allowedName(given);
  if (name !== given.trim()) report.remark('users with another name', `"${takeCodePoints(given, 60)}": ${name}`);
  return name;
}

/** Returns a name without the characters that no name may have here. */
export function allowedName(given: string): string {
  const allowed = given
    .replaceAll(/[\p{Cc}\p{Cs}*`\\>"@]/gu, ' ')
    .trim()
    .replace(/\|\d+$/, '')
    .trim();
  return takeCodePoints([...allowed].length < 2 ? `User ${allowed}`.trim() : allowed, MAX_NAME);
}

/** Somebody must be able to come in: the account of the address becomes an owner, or one is made. */
function withOwner(plan: Plan, rows: readonly WholeRow<'user'>[], email: string): readonly WholeRow<'user'>[] {
  const key = foldCase(email);
  const found = rows.find((row) => row.email_key === key);
  if (found?.is_bot) throw new ImportRefused(`${email} is the address of a bot: it cannot own the organization`);
  const asOwner = { role: Role.owner, previous_role: Role.owner, is_active: true, is_deleted: false };
  if (found) return rows.map((row) => (row === found ? { ...row, ...asOwner } : row));
  const owner: WholeRow<'user'> = {
    ...BLANK,
    ...asOwner,
    id: plan.users.fresh(),
    realm_id: plan.realmId,
    email,
    email_key: key,
    full_name: takeCodePoints(`Owner ${email.split('@')[0]?.replaceAll(/[*`\\>"|]/g, ' ') ?? ''}`.trim(), MAX_NAME),
    date_joined: plan.now,
    last_active_at: plan.now,
  };
  plan.report.remark('accounts made', `${email} owns the organization`);
  return [...rows, owner];
}

const BLANK = {
  role_event_id: 0,
  is_bot: false,
  bot_type: null,
  bot_owner_id: null,
  is_system_bot: false,
  timezone: '',
  avatar_source: 'J',
  avatar_version: 1,
  avatar_file: null,
  email_address_visibility: 1,
  api_key_version: 1,
  may_manage_accounts: false,
  user_settings: {},
} as const;

function systemBots(plan: Plan, host: string): readonly WholeRow<'user'>[] {
  const known = new Map(
    plan.tables.rows('zerver_userprofile_crossrealm').map((row) => [row.text('email').split('@')[0], row.id('id')]),
  );
  return Object.values(SystemBot).map(({ full_name, local }) => ({
    ...BLANK,
    id: plan.users.of(known.get(local) ?? null) ?? plan.users.fresh(),
    realm_id: plan.realmId,
    email: `${local}@${host}`,
    email_key: foldCase(`${local}@${host}`),
    full_name,
    role: Role.member,
    previous_role: Role.member,
    is_bot: true,
    bot_type: 1,
    is_system_bot: true,
    is_active: true,
    is_deleted: false,
    date_joined: plan.now,
    last_active_at: plan.now,
  }));
}

function bots({ tables, users, channels, realmId }: Plan): readonly WholeRow<'bot'>[] {
  const services = new Map(tables.rows('zerver_service').map((row) => [row.id('user_profile'), row]));
  const configs = new Map<number, Record<string, string>>();
  for (const row of tables.rows('zerver_botconfigdata')) {
    const id = row.id('bot_profile');
    configs.set(id, { ...configs.get(id), [row.text('key')]: row.text('value') });
  }
  return tables.rows('zerver_userprofile').flatMap((row) => {
    const [id, service] = [row.id('id'), services.get(row.id('id'))];
    const user_id = users.of(id);
    if (!row.bool('is_bot', false) || user_id === undefined) return [];
    return [
      {
        user_id,
        realm_id: realmId,
        default_sending_stream_id: channels.orNull(row.idOrNull('default_sending_stream')),
        default_events_register_stream_id: channels.orNull(row.idOrNull('default_events_register_stream')),
        default_all_public_streams: row.bool('default_all_public_streams', false),
        base_url: service?.textOrNull('base_url') ?? null,
        service_interface: service?.int('interface', 1) ?? 1,
        service_name: service?.textOrNull('name') ?? null,
        config_data: configs.get(id) ?? {},
        alerted_at: 0,
      },
    ];
  });
}
