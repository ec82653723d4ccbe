import { type RealmReadTx, rowsOf, type WholeRow } from '#kernel/store';
import type { Records } from './json.ts';
import { TOPICS_POLICY } from './organization.ts';
import { numbered } from './people.ts';
import { placesOf, type Scope } from './scope.ts';

/** Kinds of entries that say who was in a channel when. */
export const Entry = { created: 301, activated: 302, deactivated: 303 } as const;

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
  const places = placesOf(scope);
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
