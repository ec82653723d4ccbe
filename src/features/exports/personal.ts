import { storedParts } from '#features/bot-storage';
import { allRowsOf, type RealmReadTx, rowsOf, type WholeRow } from '#kernel/store';
import type { Records } from './json.ts';
import type { Clients } from './messages.ts';
import { numbered, numberedPages } from './people.ts';
import { placesOf, type Scope } from './scope.ts';

/** Columns that are left out because the format has them under other names. */
const OWN_COLUMNS = new Set(['realm_id', 'user_id', 'topic_key', 'word_key']);

/** A table of the archive and its rows. */
type ArchiveTable = readonly [name: string, rows: readonly object[]];
/** A row of somebody, who goes by `user_profile` in the archive. */
type Personal<T> = T & { readonly user_profile: number };

/** What people keep for themselves. */
export async function personalTables(
  tx: RealmReadTx,
  scope: Scope,
  clients: Clients,
): Promise<readonly (readonly [string, Records])[]> {
  const found = [
    ...(await preferences(tx, scope)),
    ...(await presences(tx, scope)),
    await scheduledTable(tx, scope, clients),
    ...(await botTables(tx, scope)),
  ];
  return [...found.map(([name, rows]) => [name, rows.map(foreign)] as const), ...writings(tx, scope)];
}

/** The rows of those users whose private things may leave. */
function own<T extends { readonly user_id: number }>(
  { hasPrivate }: Scope,
  rows: readonly T[],
): readonly Personal<T>[] {
  return rows.filter((row) => hasPrivate(row.user_id)).map((row) => ({ ...row, user_profile: row.user_id }));
}

async function preferences(tx: RealmReadTx, scope: Scope): Promise<readonly ArchiveTable[]> {
  const topics = own(scope, await allRowsOf(tx, 'user_topic')).filter((row) => scope.hasChannel(row.channel_id));
  const places = placesOf(scope);
  return [
    [
      'zerver_alertword',
      own(scope, await allRowsOf(tx, 'alert_word')).map((row) => ({ ...row, realm: scope.realmId })),
    ],
    ['zerver_muteduser', numbered(own(scope, await allRowsOf(tx, 'muted_user')).map(toMuted))],
    ['zerver_usertopic', numbered(topics.map((row) => toTopic(row, places)))],
    [
      'zerver_userstatus',
      numbered(own(scope, await allRowsOf(tx, 'user_status')).map((row) => ({ ...row, timestamp: tx.now, client: 1 }))),
    ],
    ['zerver_navigationview', own(scope, await allRowsOf(tx, 'navigation_view')).map(toView)],
    ['zerver_onboardingstep', numbered(own(scope, await allRowsOf(tx, 'onboarding_step')).map(toStep))],
  ];
}

function toMuted({ muted_user_id, muted_at, ...row }: Personal<WholeRow<'muted_user'>>): object {
  return { ...row, muted_user: muted_user_id, date_muted: muted_at };
}

function toTopic(
  { channel_id, topic, ...row }: Personal<WholeRow<'user_topic'>>,
  places: ReadonlyMap<number, number>,
): object {
  return { ...row, stream: channel_id, recipient: places.get(channel_id), topic_name: topic };
}

function toView({ user_profile, view_name, ...row }: Personal<WholeRow<'navigation_view'>>): object {
  return { ...row, user: user_profile, name: view_name };
}

function toStep({ user_profile, step_name, read_at }: Personal<WholeRow<'onboarding_step'>>): object {
  return { user: user_profile, onboarding_step: step_name, timestamp: read_at };
}

async function presences(tx: RealmReadTx, { realmId: realm }: Scope): Promise<readonly ArchiveTable[]> {
  const rows = await allRowsOf(tx, 'presence');
  const [counter] = await allRowsOf(tx, 'presence_counter');
  const reported = rows.map((row) => ({
    realm,
    user_profile: row.user_id,
    last_active_time: row.last_active_at,
    last_connected_time: row.last_connected_at,
    last_update_id: row.update_id,
  }));
  return [
    ['zerver_userpresence', numbered(reported)],
    ['zerver_presencesequence', [{ id: 1, realm, last_update_id: counter?.newest_update_id ?? 0 }]],
  ];
}

/** Snippets, drafts, and what bots have stored, while it is read: of one person it may be megabytes, of one bot more. */
function writings(tx: RealmReadTx, scope: Scope): readonly (readonly [string, Records])[] {
  const { realmId: realm } = scope;
  return [
    ['zerver_savedsnippet', pages(scope, rowsOf(tx, 'saved_snippet'), (row) => foreign({ ...row, realm }))],
    [
      'zerver_draft',
      pages(scope, rowsOf(tx, 'draft'), ({ edited_at, ...row }) => foreign({ ...row, last_edit_time: edited_at })),
    ],
    [
      'zerver_botstoragedata',
      numberedPages(
        pages(scope, storedParts(tx), (row) => ({
          bot_profile: row.user_profile,
          key: row.storage_key,
          value: row.storage_value,
        })),
      ),
    ],
  ];
}

/** The rows of those users whose private things may leave, page by page. */
async function* pages<T extends { readonly user_id: number }>(
  scope: Scope,
  all: AsyncIterable<readonly T[]>,
  make: (row: Personal<T>) => object,
): AsyncGenerator<readonly object[]> {
  for await (const page of all) yield own(scope, page).map(make);
}

/** Messages to be sent later. They have a member that the format does not have, so they cannot come in pages. */
async function scheduledTable(tx: RealmReadTx, scope: Scope, clients: Clients): Promise<ArchiveTable> {
  const places = placesOf(scope);
  const scheduled = own(scope, await allRowsOf(tx, 'scheduled_message'));
  return ['zerver_scheduledmessage', scheduled.map((row) => toScheduled(row, scope, places, clients))];
}

async function botTables(tx: RealmReadTx, scope: Scope): Promise<readonly ArchiveTable[]> {
  const bots = (await allRowsOf(tx, 'bot')).filter((bot) => scope.hasPrivate(bot.user_id));
  const values = bots.flatMap((bot) =>
    Object.entries(bot.config_data).map(([key, value]) => ({ bot_profile: bot.user_id, key, value })),
  );
  return [
    ['zerver_service', numbered(bots.filter((bot) => bot.base_url !== null).map(toService))],
    ['zerver_botconfigdata', numbered(values)],
  ];
}

function toService({ user_id, base_url, service_interface, service_name }: WholeRow<'bot'>): object {
  return { user_profile: user_id, name: service_name ?? '', base_url, interface: service_interface, token: '' };
}

/** A row without the columns that only this server has. */
function foreign(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !OWN_COLUMNS.has(name)));
}

function toScheduled(
  row: WholeRow<'scheduled_message'>,
  { recipients }: Scope,
  places: ReadonlyMap<number, number>,
  clients: Clients,
): object {
  const { id, user_id, channel_id, recipient_ids, topic, content, rendered_content } = row;
  const [first = user_id] = recipient_ids;
  return {
    id,
    realm: row.realm_id,
    sending_client: clients.idOf(row.client),
    sender: user_id,
    recipient: channel_id === null ? recipients.personal(first) : places.get(channel_id),
    recipient_ids,
    stream: channel_id,
    subject: topic,
    content,
    rendered_content,
    delivery_type: 1,
    scheduled_timestamp: row.deliver_at,
    request_timestamp: row.deliver_at,
    read_by_sender: row.is_read_by_sender,
    delivered: row.delivered_at !== null,
    delivered_message: row.message_id,
    failed: row.failed,
    failure_message: row.failure,
    has_attachment: false,
  };
}
