import { CHANNEL_SETTINGS } from '#features/groups';
import { Entry as LogEntry, TOPICS_POLICY } from '#features/exports';
import type { ChannelId, RecipientId, UserId } from '#kernel/ids';
import { insertWhole, type WholeRow, type WriteTx } from '#kernel/store';
import { foldCase, takeCodePoints } from '#kernel/text';
import type { Entry } from './entry.ts';
import { permissionColumns, type SystemGroups, unique } from './groups.ts';
import type { Plan } from './plan.ts';
import { reserveIds } from './plan.ts';
import { Names, wordOf } from './values.ts';

/** Kinds of recipients, and of entries that say who was in a channel when. */
const CHANNEL = 2;
const PERSONAL = 1;
const CAME: readonly number[] = [LogEntry.created, LogEntry.activated];
const LEFT = LogEntry.deactivated;
const MAX_NAME = 60;
const MAX_DESCRIPTION = 1024;
const TOPICS_POLICIES = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const;

/** Where messages of the archive go, by the ID of their recipient there. */
export interface Places {
  readonly channels: ReadonlyMap<number, { readonly channel: ChannelId; readonly recipient: RecipientId }>;
  /** The one person that a recipient is for. */
  readonly people: ReadonlyMap<number, UserId>;
  /** The people of a group. */
  readonly groups: ReadonlyMap<number, readonly UserId[]>;
}

/** Finds out where messages go. */
export function placesOf({ tables, channels, users, recipients }: Plan): Places {
  const rows = tables.rows('zerver_recipient');
  const members = new Map<number, UserId[]>();
  for (const row of tables.rows('zerver_subscription')) {
    const user = users.of(row.idOrNull('user_profile'));
    const recipient = row.idOrNull('recipient');
    if (user !== undefined && recipient !== null) members.set(recipient, [...(members.get(recipient) ?? []), user]);
  }
  const ofKind = (kind: number) => rows.filter((row) => row.int('type', 0) === kind);
  return {
    channels: new Map(
      ofKind(CHANNEL).flatMap((row) => {
        const [channel, recipient] = [channels.of(row.id('type_id')), recipients.of(row.id('id'))];
        return channel === undefined || recipient === undefined
          ? []
          : [[row.id('id'), { channel, recipient }] as const];
      }),
    ),
    people: new Map(
      ofKind(PERSONAL).flatMap((row) => {
        const user = users.of(row.id('type_id'));
        return user === undefined ? [] : [[row.id('id'), user] as const];
      }),
    ),
    groups: new Map(
      rows
        .filter((row) => ![CHANNEL, PERSONAL].includes(row.int('type', 0)))
        .map((row) => [row.id('id'), members.get(row.id('id')) ?? []]),
    ),
  };
}

/** Stores the channels with those who are in them. */
export async function importChannels(tx: WriteTx, plan: Plan, system: SystemGroups, places: Places): Promise<void> {
  const { tables, realmId, report } = plan;
  const recipients = new Map([...places.channels.values()].map((place) => [place.channel, place.recipient]));
  await insertWhole(
    tx,
    'recipient',
    [...recipients].map(([channel_id, id]) => ({ id, realm_id: realmId, channel_id, participants_key: null })),
  );
  const defaults = new Set(tables.rows('zerver_defaultstream').map((row) => row.idOrNull('stream')));
  const names = new Names();
  const rows = tables.rows('zerver_stream').flatMap((row) => {
    const id = plan.channels.of(row.id('id'));
    const recipient_id = id === undefined ? undefined : recipients.get(id);
    if (id === undefined || recipient_id === undefined) throw row.fault('id', 'has no recipient');
    return [{ ...toChannel(plan, system, names, row), id, recipient_id, is_default: defaults.has(row.id('id')) }];
  });
  await insertWhole(tx, 'channel', rows);
  report.count('channels', rows.length);
  await insertWhole(tx, 'subscription', subscriptions(plan, places));
  await importDefaultGroups(tx, plan);
}

function toChannel(plan: Plan, system: SystemGroups, names: Names, row: Entry) {
  const given = row.text('name').replaceAll(/\p{C}/gu, ' ').trim();
  const name = names.free(given === '' ? 'channel' : given, MAX_NAME);
  if (name !== row.text('name'))
    plan.report.remark('channels with another name', `${takeCodePoints(given, 60)}: ${name}`);
  const date_created = row.time('date_created', plan.now);
  const policy = wordOf(TOPICS_POLICY, row.raw('topics_policy'));
  return {
    realm_id: plan.realmId,
    name,
    name_key: foldCase(name),
    description: takeCodePoints(row.text('description', ''), MAX_DESCRIPTION).replaceAll('\n', ' '),
    rendered_description: '',
    date_created,
    creator_id: plan.users.orNull(row.idOrNull('creator')),
    invite_only: row.bool('invite_only', false),
    is_web_public: row.bool('is_web_public', false),
    history_public_to_subscribers: row.bool('history_public_to_subscribers', !row.bool('invite_only', false)),
    is_archived: row.bool('deactivated', false),
    message_retention_days: row.has('message_retention_days') ? daysOf(row) : null,
    folder_id: plan.folders.orNull(row.idOrNull('folder')),
    topics_policy: TOPICS_POLICIES.find((known) => known === policy) ?? 'inherit',
    first_message_id: null,
    last_message_at: date_created,
    is_recently_active: false,
    weekly_traffic: null,
    subscriber_count: 0,
    ...permissionColumns(plan, system, row, CHANNEL_SETTINGS),
  };
}

function daysOf(row: Entry): number | null {
  return row.raw('message_retention_days') === null ? null : row.int('message_retention_days', -1);
}

function subscriptions({ tables, users, realmId }: Plan, places: Places): readonly WholeRow<'subscription'>[] {
  const found = new Map<string, WholeRow<'subscription'>>();
  for (const row of tables.rows('zerver_subscription')) {
    const [user_id, place] = [users.of(row.idOrNull('user_profile')), places.channels.get(row.id('recipient'))];
    if (user_id === undefined || place === undefined) continue;
    found.set(`${user_id} ${place.channel}`, {
      realm_id: realmId,
      user_id,
      channel_id: place.channel,
      is_subscribed: row.bool('active', true),
      color: /^#[0-9a-f]{6}$/i.test(row.text('color', '')) ? row.text('color', '') : '#76ce90',
      is_muted: row.bool('is_muted', !row.bool('in_home_view', true)),
      pin_to_top: row.bool('pin_to_top', false),
      desktop_notifications: row.boolOrNull('desktop_notifications'),
      email_notifications: row.boolOrNull('email_notifications'),
      push_notifications: row.boolOrNull('push_notifications'),
      audible_notifications: row.boolOrNull('audible_notifications'),
      wildcard_mentions_notify: row.boolOrNull('wildcard_mentions_notify'),
    });
  }
  return [...found.values()];
}

async function importDefaultGroups(tx: WriteTx, { tables, channels, realmId }: Plan): Promise<void> {
  const rows = tables.rows('zerver_defaultstreamgroup');
  const ids = await reserveIds<WholeRow<'default_channel_group'>['id']>(
    tx,
    'default_channel_group',
    'default groups',
    rows.map((row) => row.id('id')),
  );
  const names = new Names();
  const groups = rows.map((row) => ({ row, id: ids.of(row.id('id')) ?? ids.fresh() }));
  await insertWhole(
    tx,
    'default_channel_group',
    groups.map(({ row, id }) => ({
      id,
      realm_id: realmId,
      name: names.free(row.text('name'), 60),
      description: row.text('description', ''),
    })),
  );
  await insertWhole(
    tx,
    'default_channel_group_member',
    unique(
      groups.flatMap(({ row, id }) =>
        row.ids('streams').flatMap((stream) => {
          const channel_id = channels.of(stream);
          return channel_id === undefined ? [] : [{ realm_id: realmId, default_group_id: id, channel_id }];
        }),
      ),
    ),
  );
}

/** A subscription period: the user received messages after the first one and up to the last. */
export interface SubscriptionPeriod {
  readonly after: number;
  readonly until: number | null;
}

/** Who was in which channel when: from entries of the log where there are any, else from the beginning. */
export function periodsOf(
  plan: Plan,
  places: Places,
  newestMessage: number,
): ReadonlyMap<string, readonly SubscriptionPeriod[]> {
  const { tables, users, channels, messages } = plan;
  const here = (id: number) => (id <= 0 ? 0 : id + messages.offset);
  const periods = new Map<string, { after: number; until: number | null }[]>();
  const entries = tables
    .rows('zerver_realmauditlog')
    .filter((row) => [...CAME, LEFT].includes(row.int('event_type', 0)))
    .toSorted((a, b) => a.time('event_time', 0) - b.time('event_time', 0) || a.id('id') - b.id('id'));
  for (const row of entries) {
    const [user, channel] = [users.of(row.idOrNull('modified_user')), channels.of(row.idOrNull('modified_stream'))];
    if (user === undefined || channel === undefined) continue;
    const key = `${user} ${channel}`;
    const own = periods.get(key) ?? [];
    const at = here(row.int('event_last_message_id', 0));
    const last = own.at(-1);
    if (row.int('event_type', 0) === LEFT) {
      if (last && last.until === null) last.until = Math.max(at, last.after);
    } else if (!last || last.until !== null) own.push({ after: at, until: null });
    periods.set(key, own);
  }
  for (const row of subscriptions(plan, places)) {
    const key = `${row.user_id} ${row.channel_id}`;
    const own = periods.get(key) ?? [];
    const last = own.at(-1);
    if (row.is_subscribed && (!last || last.until !== null)) own.push({ after: last ? newestMessage : 0, until: null });
    if (!row.is_subscribed && last && last.until === null) last.until = Math.max(newestMessage, last.after);
    periods.set(key, own);
  }
  return periods;
}
