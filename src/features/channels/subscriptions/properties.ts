import type { Actor, RealmRef } from '#kernel/auth';
import type { ChannelId } from '#kernel/ids';
import type { Kit } from '#kernel/kit';
import { firstFault, color } from '#kernel/schema';
import type { WriteTx } from '#kernel/store';
import { accessChannel } from '../access.ts';
import { subscriptionUpdated } from '../events.ts';
import { findSubscription, setSubscription } from './queries.ts';
import { wireColor } from '../rules.ts';
import type { SubscriptionRow } from '../tables.ts';
import { NotBoolean, NotColor, NotSubscribed, UnknownProperty } from './errors.ts';

/** A change of one personal property. */
export interface PropertyChange {
  readonly stream_id: ChannelId;
  readonly property: string;
  readonly value: boolean | string;
}

/** Properties that are true or false, and may be null until they are chosen. */
const FLAGS = [
  'is_muted',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const;
type Flag = (typeof FLAGS)[number];

/** Changes personal properties of the caller's subscriptions: all of them, or none. Contract surrounding 2.6.3. */
export async function updateSubscriptions(
  kit: Kit,
  realm: RealmRef,
  actor: Actor,
  changes: readonly PropertyChange[],
): Promise<void> {
  await kit.store.write(async (tx) => {
    for (const change of changes) await updateOne(tx, realm, actor, change);
  });
}

async function updateOne(tx: WriteTx, realm: RealmRef, actor: Actor, change: PropertyChange): Promise<void> {
  const { stream_id, property } = change;
  // An older word for the opposite of being muted.
  const name = property === 'in_home_view' ? 'is_muted' : property;
  const flag = FLAGS.find((candidate) => candidate === name);
  if (flag === undefined && name !== 'color') throw UnknownProperty({ property });
  await accessChannel(tx, realm, actor, stream_id);
  const tie = await findSubscription(tx, realm.id, actor.userId, stream_id);
  if (!tie?.is_subscribed) throw NotSubscribed({ id: stream_id });
  if (flag === undefined) return setColor(tx, tie, change.value);
  if (typeof change.value !== 'boolean') throw NotBoolean({ property });
  await setFlag(tx, tie, flag, property === 'in_home_view' ? !change.value : change.value);
}

async function setColor(tx: WriteTx, tie: SubscriptionRow, sent: boolean | string): Promise<void> {
  const checked = firstFault(color(), 'color', sent);
  if ('fault' in checked) throw NotColor();
  const value = wireColor(checked.value);
  if (value === tie.color) return;
  await setSubscription(tx, tie.realm_id, tie.user_id, tie.channel_id, { color: value });
  emit(tx, tie, 'color', value);
}

async function setFlag(tx: WriteTx, tie: SubscriptionRow, flag: Flag, value: boolean): Promise<void> {
  if (tie[flag] === value) return;
  await setSubscription(tx, tie.realm_id, tie.user_id, tie.channel_id, { [flag]: value });
  if (flag === 'is_muted') emit(tx, tie, 'in_home_view', !value);
  emit(tx, tie, flag, value);
}

function emit(tx: WriteTx, tie: SubscriptionRow, property: string, value: boolean | string): void {
  const payload = { stream_id: tie.channel_id, property, value };
  tx.emit(subscriptionUpdated(tie.realm_id, payload, { audience: { users: [tie.user_id] } }));
}
