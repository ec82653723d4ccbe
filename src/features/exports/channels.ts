import { allRowsOf, type RealmReadTx, rowsOf, type WholeRow } from '#kernel/store';
import type { Records } from './json.ts';
import { TOPICS_POLICY } from './organization.ts';
import { numbered } from './people.ts';
import type { Clients } from './messages.ts';
import type { Scope } from './scope.ts';

/** Kinds of entries that say who was in a channel when. */
export const Entry = { created: 301, activated: 302, deactivated: 303 } as const;

/** Columns that are left out because the format has them under other names. */
const OWN_COLUMNS = new Set(['realm_id', 'user_id', 'topic_key', 'word_key']);

/** Tables of channels, their subscribers and their former subscribers. */
export async function channelTables(tx: RealmReadTx, scope: Scope): Promise<readonly (readonly [string, Records])[]> {
  const { channels, realmId, recipients } = scope;
  return [
    ['zerver_stream', channels.map(toChannel)],
    [
      'zerver_defaultstream',
      numbered(channels.filter((row) => row.is_default).map(({ id }) => ({ realm: realmId, stream: id }))),
    ],
    ['zerver_recipient', recipients.list],
    ['zerver_huddle', recipients.groups.map(([id, people]) => ({ id, group_size: people.length, recipient: id }))],
    ['zerver_subscription', numbered(await subscriptions(tx, scope))],
    ['zerver_realmauditlog', numbered(entries(scope, tx.now))],
  ];
}

function toChannel(row: WholeRow<'channel'>): object {
  const { realm_id, name_key: _, creator_id, is_archived, folder_id, topics_policy, recipient_id, ...columns } = row;
  return {
    ...columns,
    realm: realm_id,
    recipient: recipient_id,
    creator: creator_id,
    deactivated: is_archived,
    folder: folder_id,
    topics_policy: TOPICS_POLICY[topics_policy],
    stream_weekly_traffic: row.weekly_traffic,
  };
}

async function subscriptions(tx: RealmReadTx, scope: Scope): Promise<readonly object[]> {
  const places = new Map(scope.channels.map((row) => [row.id, row.recipient_id]));
  const isActive = new Map(scope.users.map((row) => [row.id, row.is_active]));
  const subscription = (user_profile: number, recipient: number, active = true) => ({
    user_profile,
    recipient,
    active,
  });
  const found: object[] = [];
  for await (const page of rowsOf(tx, 'subscription'))
    for (const { realm_id: _, user_id, channel_id, is_subscribed, ...personal } of page) {
      const recipient = places.get(channel_id);
      if (recipient === undefined) continue;
      const own = scope.hasPrivate(user_id) ? personal : { color: personal.color };
      found.push({
        ...subscription(user_id, recipient, is_subscribed),
        ...own,
        is_user_active: isActive.get(user_id) ?? false,
      });
    }
  for (const [id, people] of scope.recipients.groups)
    for (const user of people) found.push({ ...subscription(user, id), is_user_active: true });
  for (const { id, is_active } of scope.users)
    found.push({ ...subscription(id, scope.recipients.personal(id)), is_user_active: is_active });
  return found;
}

/** Turns subscription periods into entries for joining and leaving, in the order of the messages between them. */
function entries({ channels, periods, realmId }: Scope, now: number): readonly object[] {
  return channels.flatMap((channel) => {
    const met = new Set<number>();
    return (periods.get(channel.id) ?? []).flatMap((period) => {
      const about = { realm: realmId, modified_user: period.user_id, modified_stream: channel.id, event_time: now };
      const event_type = met.has(period.user_id) ? Entry.activated : Entry.created;
      met.add(period.user_id);
      const came = { ...about, event_type, event_last_message_id: period.after_message_id };
      if (period.until_message_id === null) return [came];
      return [came, { ...about, event_type: Entry.deactivated, event_last_message_id: period.until_message_id }];
    });
  });
}

/** What people keep for themselves. */
export async function personalTables(
  tx: RealmReadTx,
  scope: Scope,
  clients: Clients,
): Promise<readonly (readonly [string, Records])[]> {
  const { realmId } = scope;
  const places = new Map(scope.channels.map((row) => [row.id, row.recipient_id]));
  const own = <T extends { readonly user_id: number; readonly realm_id: number }>(rows: readonly T[]) =>
    rows.filter((row) => scope.hasPrivate(row.user_id)).map((row) => ({ ...row, user_profile: row.user_id }));
  const topics = own(await allRowsOf(tx, 'user_topic')).filter((row) => scope.hasChannel(row.channel_id));
  const presences = await allRowsOf(tx, 'presence');
  const [counter] = await allRowsOf(tx, 'presence_counter');
  const bots = await allRowsOf(tx, 'bot');
  const found: readonly (readonly [string, readonly object[]])[] = [
    ['zerver_alertword', own(await allRowsOf(tx, 'alert_word')).map((row) => ({ ...row, realm: realmId }))],
    [
      'zerver_muteduser',
      numbered(
        own(await allRowsOf(tx, 'muted_user')).map(({ muted_user_id, muted_at, ...row }) => ({
          ...row,
          muted_user: muted_user_id,
          date_muted: muted_at,
        })),
      ),
    ],
    [
      'zerver_usertopic',
      numbered(
        topics.map(({ channel_id, topic, ...row }) => ({
          ...row,
          stream: channel_id,
          recipient: places.get(channel_id),
          topic_name: topic,
        })),
      ),
    ],
    [
      'zerver_userstatus',
      numbered(own(await allRowsOf(tx, 'user_status')).map((row) => ({ ...row, timestamp: tx.now, client: 1 }))),
    ],
    [
      'zerver_userpresence',
      numbered(
        presences.map((row) => ({
          realm: realmId,
          user_profile: row.user_id,
          last_active_time: row.last_active_at,
          last_connected_time: row.last_connected_at,
          last_update_id: row.update_id,
        })),
      ),
    ],
    ['zerver_presencesequence', [{ id: 1, realm: realmId, last_update_id: counter?.newest_update_id ?? 0 }]],
    ['zerver_savedsnippet', own(await allRowsOf(tx, 'saved_snippet')).map((row) => ({ ...row, realm: realmId }))],
    [
      'zerver_navigationview',
      own(await allRowsOf(tx, 'navigation_view')).map(({ user_profile, view_name, ...row }) => ({
        ...row,
        user: user_profile,
        name: view_name,
      })),
    ],
    [
      'zerver_onboardingstep',
      numbered(
        own(await allRowsOf(tx, 'onboarding_step')).map(({ user_profile, step_name, read_at }) => ({
          user: user_profile,
          onboarding_step: step_name,
          timestamp: read_at,
        })),
      ),
    ],
    [
      'zerver_draft',
      own(await allRowsOf(tx, 'draft')).map(({ edited_at, ...row }) => ({
        ...row,
        last_edit_time: edited_at,
      })),
    ],
    [
      'zerver_scheduledmessage',
      own(await allRowsOf(tx, 'scheduled_message')).map((row) => toScheduled(row, scope, places, clients)),
    ],
    [
      'zerver_service',
      numbered(
        bots
          .filter((bot) => scope.hasPrivate(bot.user_id) && bot.base_url !== null)
          .map(({ user_id, base_url, service_interface, service_name }) => ({
            user_profile: user_id,
            name: service_name ?? '',
            base_url,
            interface: service_interface,
            token: '',
          })),
      ),
    ],
    [
      'zerver_botconfigdata',
      numbered(
        bots
          .filter((bot) => scope.hasPrivate(bot.user_id))
          .flatMap((bot) =>
            Object.entries(bot.config_data).map(([key, value]) => ({ bot_profile: bot.user_id, key, value })),
          ),
      ),
    ],
    [
      'zerver_botstoragedata',
      numbered(
        own(await allRowsOf(tx, 'bot_storage')).map((row) => ({
          bot_profile: row.user_profile,
          key: row.storage_key,
          value: row.storage_value,
        })),
      ),
    ],
  ];
  return found.map(([name, rows]) => [name, rows.map(foreign)]);
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
