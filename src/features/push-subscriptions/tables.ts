import type { Id, RealmId, UserId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type SubscriptionId = Id<'PushSubscription'>;
/** Who made a subscription: a browser, or an app with a UnifiedPush distributor. See protocol/push#subscriptions. */
export type SubscriptionKind = 'web' | 'unifiedpush';

/** Addresses at push services for notifying browsers and apps of messages. See protocol/push#subscriptions. */
export const pushSubscription = table('push_subscription', {
  id: col.id<SubscriptionId>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  kind: col.text<SubscriptionKind>(),
  /** The browser's session, which the subscription ends with; null for one that an app made with a key. */
  session_id: col.refOrNull<number>(),
  /** The device key of the app that made it, with which it ends; null for others. */
  device_key_id: col.intOrNull(),
  /** SHA-256 of the address, in Base64. */
  endpoint_hash: col.text(),
  /**
   * Base64 of address and keys, encrypted with the server's secret, because anybody who has them can send notifications
   * to the person.
   */
  sealed: col.text(),
  /** The browser or app, as its owner knows it. */
  name: col.text(),
  created_at: col.int(),
  /** When the push service last accepted something for it. */
  delivered_at: col.intOrNull(),
  /** Since when nothing was accepted, and why; null while all is well. */
  failing_since: col.intOrNull(),
  failure: col.textOrNull(),
});
export type SubscriptionRow = SelectOf<typeof pushSubscription>;

declare module '#kernel/store' {
  interface Tables {
    push_subscription: RowOf<typeof pushSubscription>;
  }
}
