import type { Actor, ActorWriteTx } from '#kernel/auth';
import type { ChannelId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { firstFault, color } from '#kernel/schema';
import type { RealmWriteTx } from '#kernel/store';
import { knownAmong, listSubscriptionsOf, storeProperty } from '../members/index.ts';
import { InvalidChannelId, type SubscriptionRow } from '../core/index.ts';
import { subscriptionUpdated } from '../events.ts';
import { wireColor } from '../rules.ts';
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

type Property = Flag | 'color';

/**
 * The caller's subscriptions to the channels of one request, changed in memory until all changes are found to be valid.
 */
interface Draft {
  readonly known: ReadonlySet<ChannelId>;
  readonly subscriptions: Map<ChannelId, SubscriptionRow>;
  /** The channels of which a property changed. */
  readonly changed: Map<Property, Set<ChannelId>>;
}

/**
 * Changes personal properties of the caller's subscriptions: all of them, or none. One statement stores all changes of
 * a property. See protocol/subscriptions#own-properties.
 */
export async function updateSubscriptions(
  context: Context,
  actor: Actor,
  changes: readonly PropertyChange[],
): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    const draft = await openDraft(tx, [...new Set(changes.map((change) => change.stream_id))]);
    for (const change of changes) applyChange(tx, draft, change);
    for (const [property, ids] of draft.changed) {
      const rows = [...ids].flatMap((id) => draft.subscriptions.get(id) ?? []);
      await storeProperty(tx, property, rows);
    }
  });
}

async function openDraft(tx: ActorWriteTx, ids: readonly ChannelId[]): Promise<Draft> {
  const known = await knownAmong(tx, ids);
  const subscriptions = await listSubscriptionsOf(tx, [tx.actor.userId], ids);
  const active = subscriptions.filter((subscription) => subscription.is_subscribed);
  return {
    known,
    subscriptions: new Map(active.map((subscription) => [subscription.channel_id, subscription])),
    changed: new Map(),
  };
}

function applyChange(tx: RealmWriteTx, draft: Draft, change: PropertyChange): void {
  const { stream_id, property } = change;
  // An older word for the opposite of being muted.
  const name = property === 'in_home_view' ? 'is_muted' : property;
  const flag = FLAGS.find((candidate) => candidate === name);
  if (flag === undefined && name !== 'color') throw UnknownProperty({ property });
  if (!draft.known.has(stream_id)) throw InvalidChannelId();
  const subscription = draft.subscriptions.get(stream_id);
  if (!subscription) throw NotSubscribed({ id: stream_id });
  if (flag === undefined)
    return setProperty(tx, draft, subscription, { property: 'color', value: checkedColor(change.value) });
  if (typeof change.value !== 'boolean') throw NotBoolean({ property });
  const value = property === 'in_home_view' ? !change.value : change.value;
  setProperty(tx, draft, subscription, { property: flag, value });
}

/** Built once, because a request may name a thousand colours. */
const COLOR = color();

function checkedColor(sent: boolean | string): string {
  const checked = firstFault(COLOR, 'color', sent);
  if ('fault' in checked) throw NotColor();
  return wireColor(checked.value);
}

function setProperty(
  tx: RealmWriteTx,
  { subscriptions, changed }: Draft,
  subscription: SubscriptionRow,
  { property, value }: { readonly property: Property; readonly value: boolean | string },
): void {
  if (subscription[property] === value) return;
  subscriptions.set(subscription.channel_id, { ...subscription, [property]: value });
  changed.set(property, (changed.get(property) ?? new Set()).add(subscription.channel_id));
  if (property === 'is_muted') emit(tx, subscription, 'in_home_view', !value);
  emit(tx, subscription, property, value);
}

function emit(tx: RealmWriteTx, subscription: SubscriptionRow, property: string, value: boolean | string): void {
  const payload = { stream_id: subscription.channel_id, property, value };
  tx.emit(subscriptionUpdated(payload, { audience: { users: [subscription.user_id] } }));
}
