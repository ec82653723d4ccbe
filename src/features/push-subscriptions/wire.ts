import { idOf, nullable, object, oneOf, str, timestamp } from '#kernel/schema';
import type { SubscriptionId, SubscriptionRow } from './tables.ts';

/** A subscription as its owner sees it; address and keys are never shown. See protocol/push#subscriptions. */
export const wireSubscription = object({
  id: idOf<SubscriptionId>(),
  kind: oneOf('web', 'unifiedpush'),
  name: str(),
  created_at: timestamp(),
  delivered_at: nullable(timestamp()),
  failing_since: nullable(timestamp()),
  failure: nullable(str()),
});

export function toWireSubscription(row: SubscriptionRow) {
  const { id, kind, name, created_at, delivered_at, failing_since, failure } = row;
  return { id, kind, name, created_at, delivered_at, failing_since, failure };
}
