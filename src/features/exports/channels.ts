import { inChunks, type RealmReadTx, rowsOf, type WholeRow } from '#kernel/store';
import { NEEDED } from './columns.ts';
import type { Records } from './json.ts';
import { TOPICS_POLICY } from './organization.ts';
import { numbered, numberedPages } from './people.ts';
import { placesOf, type Scope } from './scope.ts';

/** Kinds of entries that say who was in a channel when. */
export const Entry = { created: 301, activated: 302, deactivated: 303 } as const;

/** Rows that are made before other work runs. */
const PAGE = 500;

/**
 * Tables of channels, their subscribers and their former subscribers. A row for each person in each channel is made when it
 * is written: together they may be millions.
 */
export function channelTables(tx: RealmReadTx, scope: Scope): readonly (readonly [string, Records])[] {
  const { channels, realmId, recipients } = scope;
  return [
    ['zerver_stream', channels.map(toChannel)],
    [
      'zerver_defaultstream',
      numbered(channels.filter((row) => row.is_default).map(({ id }) => ({ realm: realmId, stream: id }))),
    ],
    ['zerver_recipient', recipients.list],
    ['zerver_huddle', recipients.groups.map(([id, people]) => ({ id, group_size: people.length, recipient: id }))],
    ['zerver_subscription', numberedPages(subscriptions(tx, scope))],
    ['zerver_realmauditlog', numberedPages(entries(scope, tx.now))],
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

async function* subscriptions(tx: RealmReadTx, scope: Scope): AsyncGenerator<readonly object[]> {
  const places = placesOf(scope);
  const isActive = new Map(scope.users.map((row) => [row.id, row.is_active]));
  const subscription = (user_profile: number, recipient: number, active = true) => ({
    user_profile,
    recipient,
    active,
  });
  for await (const page of rowsOf(tx, 'subscription'))
    yield page.flatMap((row) => {
      const { realm_id: _, user_id, channel_id, is_subscribed, ...personal } = row;
      const recipient = places.get(channel_id);
      if (recipient === undefined) return [];
      const own = scope.hasPrivate(user_id) ? personal : { color: personal.color };
      const is_user_active = isActive.get(user_id) ?? false;
      return [{ ...subscription(user_id, recipient, is_subscribed), ...own, is_user_active }];
    });
  for (const some of inChunks(scope.recipients.groups, PAGE))
    yield some.flatMap(([id, people]) => people.map((user) => ({ ...subscription(user, id), is_user_active: true })));
  for (const some of inChunks(scope.users, PAGE))
    yield some.map(({ id, is_active }) => ({
      ...subscription(id, scope.recipients.personal(id)),
      is_user_active: is_active,
    }));
}

/** Turns subscription periods into entries for joining and leaving, in the order of the messages between them. */
function* entries({ channels, periods, realmId }: Scope, now: number): Generator<readonly object[]> {
  for (const channel of channels) {
    const met = new Set<number>();
    const shared = { ...NEEDED['zerver_realmauditlog'], realm: realmId, modified_stream: channel.id, event_time: now };
    for (const some of inChunks(periods.get(channel.id) ?? [], PAGE))
      yield some.flatMap(({ user_id, after_message_id, until_message_id }) => {
        const about = { ...shared, modified_user: user_id };
        const event_type = met.has(user_id) ? Entry.activated : Entry.created;
        met.add(user_id);
        const came = { ...about, event_type, event_last_message_id: after_message_id };
        if (until_message_id === null) return [came];
        return [came, { ...about, event_type: Entry.deactivated, event_last_message_id: until_message_id }];
      });
  }
}
