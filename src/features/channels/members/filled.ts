import type { UserId } from '#kernel/ids';
import type { View } from '#kernel/events';
import type { RealmReadTx } from '#kernel/store';
import { settingsOfUsers } from '#features/user-settings';
import type { SubscriptionRow } from '../core/index.ts';
import { listSubscriptions } from './queries.ts';

/**
 * Lists a user's subscriptions for a client: a client that does not support null gets the user's own setting for
 * whatever was not chosen for a channel. See protocol/register#capabilities.
 */
export async function listSubscriptionsFor(
  tx: RealmReadTx,
  userId: UserId,
  { notification_settings_null }: Pick<View, 'notification_settings_null'>,
): Promise<readonly SubscriptionRow[]> {
  const subscriptions = await listSubscriptions(tx, userId);
  if (notification_settings_null || subscriptions.length === 0) return subscriptions;
  const settings = (await settingsOfUsers(tx, [userId])).get(userId);
  if (!settings) return subscriptions;
  return subscriptions.map((subscription) => ({
    ...subscription,
    desktop_notifications: subscription.desktop_notifications ?? settings.enable_stream_desktop_notifications,
    email_notifications: subscription.email_notifications ?? settings.enable_stream_email_notifications,
    push_notifications: subscription.push_notifications ?? settings.enable_stream_push_notifications,
    audible_notifications: subscription.audible_notifications ?? settings.enable_stream_audible_notifications,
  }));
}
