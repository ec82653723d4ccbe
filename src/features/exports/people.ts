import { settingsOf, type UserSettings } from '#features/user-settings';
import { SystemBot } from '#features/users';
import { systemGroupsOfRole } from '#kernel/permissions';
import { allRowsOf, inParts, type RealmReadTx, rowsOf, type WholeRow } from '#kernel/store';
import type { Records } from './json.ts';
import type { Scope } from './scope.ts';

/** The format's numbers for values that are words here. See protocol/organizations#export-format. */
export const AUTO_READ = { always: 1, except_followed: 2, never: 3 } as const;

/** Where the format looks for the server's own bots. */
const BOT_HOST = 'zulip.com';

/** People whose records are made before other work runs. */
const AT_ONCE = 250;

/** Settings in the form of the format. */
export function settingColumns(settings: Partial<UserSettings>): Record<string, unknown> {
  const policy = settings.resolved_topic_notice_auto_read_policy;
  return { ...settings, ...(policy !== undefined && { resolved_topic_notice_auto_read_policy: AUTO_READ[policy] }) };
}

/** The tables of people, without what an export of this type must leave out as private. */
export async function peopleTables(tx: RealmReadTx, scope: Scope): Promise<readonly (readonly [string, Records])[]> {
  const bots = new Map((await allRowsOf(tx, 'bot')).map((bot) => [bot.user_id, bot]));
  const stays = (row: WholeRow<'user'>) => scope.type !== 'consenting' || scope.hasPrivate(row.id) || !row.is_active;
  const people = scope.users.filter((row) => !row.is_system_bot);
  const record = (row: WholeRow<'user'>) => {
    const user = toUser(row, scope, bots.get(row.id));
    return stays(row) ? user : { ...user, is_active: false, is_mirror_dummy: true };
  };
  const recorded = async (rows: readonly WholeRow<'user'>[]) =>
    (await inParts(rows, AT_ONCE, async (some) => some.map(record))).flat();
  return [
    ['zerver_userprofile', await recorded(people.filter(stays))],
    ['zerver_userprofile_mirrordummy', await recorded(people.filter((row) => !stays(row)))],
    [
      'zerver_userprofile_crossrealm',
      scope.users
        .filter((row) => row.is_system_bot)
        .map((row) => ({ id: row.id, email: systemAddress(row), recipient_id: scope.recipients.personal(row.id) })),
    ],
  ];
}

function systemAddress({ full_name }: WholeRow<'user'>): string {
  const bot = Object.values(SystemBot).find((one) => one.full_name === full_name);
  return `${bot?.local ?? 'notification-bot'}@${BOT_HOST}`;
}

function toUser(row: WholeRow<'user'>, scope: Scope, bot: WholeRow<'bot'> | undefined): object {
  const hasPrivate = scope.hasPrivate(row.id);
  const isHidden = !hasPrivate && row.email_address_visibility === 4;
  const delivery_email = isHidden ? `exported-user-${row.id}@hidden.invalid` : row.email;
  return {
    ...(hasPrivate ? settingColumns(settingsOf(row)) : {}),
    id: row.id,
    realm: row.realm_id,
    delivery_email,
    email: row.email_address_visibility === 1 ? delivery_email : `user${row.id}@hidden.invalid`,
    full_name: row.full_name,
    role: row.role,
    is_active: row.is_active,
    is_deleted: row.is_deleted,
    is_staff: false,
    is_mirror_dummy: false,
    is_bot: row.is_bot,
    bot_type: row.bot_type,
    bot_owner: row.bot_owner_id,
    date_joined: row.date_joined,
    timezone: row.timezone,
    email_address_visibility: row.email_address_visibility,
    avatar_source: row.avatar_source,
    avatar_version: row.avatar_version,
    last_login: row.last_active_at,
    long_term_idle: false,
    last_active_message_id: null,
    recipient: scope.recipients.personal(row.id),
    default_sending_stream: bot?.default_sending_stream_id ?? null,
    default_events_register_stream: bot?.default_events_register_stream_id ?? null,
    default_all_public_streams: bot?.default_all_public_streams ?? false,
    groups: [],
    user_permissions: [],
  };
}

/** The tables of user groups; those that follow the roles get members, as the format has them. */
export async function groupTables(
  tx: RealmReadTx,
  { realmId, users }: Scope,
): Promise<readonly (readonly [string, Records])[]> {
  const groups = await allRowsOf(tx, 'user_group');
  const byName = new Map(groups.filter((row) => row.group_kind === 'system').map((row) => [row.name, row.id]));
  const ofRoles = users
    .filter((user) => user.is_active && !user.is_system_bot)
    .flatMap((user) => {
      const [own] = systemGroupsOfRole(user.role, false);
      const group = own === undefined ? undefined : byName.get(own);
      return group === undefined ? [] : [{ user_group: group, user_profile: user.id }];
    });
  // A row for each person in each group: they may be millions.
  const members = async function* () {
    yield ofRoles;
    for await (const page of rowsOf(tx, 'user_group_member'))
      yield page.map((row) => ({ user_group: row.group_id, user_profile: row.user_id }));
  };
  const nested = (await allRowsOf(tx, 'user_group_subgroup')).map((row) => ({
    supergroup: row.group_id,
    subgroup: row.subgroup_id,
  }));
  return [
    ['zerver_usergroup', groups.map(({ id }) => ({ id, realm: realmId }))],
    ['zerver_namedusergroup', groups.filter((row) => row.group_kind !== 'anonymous').map(toGroup)],
    ['zerver_usergroupmembership', numberedPages(members())],
    ['zerver_groupgroupmembership', numbered(nested)],
  ];
}

function toGroup(row: WholeRow<'user_group'>): object {
  const { realm_id, group_kind, name_key: _, creator_id, ...columns } = row;
  return {
    ...columns,
    usergroup_ptr: row.id,
    realm_for_sharding: realm_id,
    is_system_group: group_kind === 'system',
    creator: creator_id,
  };
}

/** Numbers rows that have no IDs here and need some in the format. */
export function numbered(rows: readonly object[]): readonly object[] {
  return rows.map((row, index) => ({ id: index + 1, ...row }));
}

/** Numbers rows that come in pages. */
export async function* numberedPages(pages: AsyncIterable<Page> | Iterable<Page>): AsyncGenerator<Page> {
  let id = 0;
  for await (const page of pages) yield page.map((row) => ({ id: ++id, ...row }));
}

type Page = readonly object[];
