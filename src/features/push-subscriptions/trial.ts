import type { Actor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { deliver, recordResults } from './deliver.ts';
import { NotTaken, SubscriptionMissing } from './errors.ts';
import { listSubscriptions } from './queries.ts';
import type { SubscriptionId } from './tables.ts';

/** Seconds for which a test is worth showing. */
const TTL_SECONDS = 60;

/** Shows a test by one of the caller's subscriptions. See protocol/push#subscriptions. */
export async function trySubscription(context: Context, actor: Actor, id: SubscriptionId): Promise<void> {
  const [subscription] = await context.store.as(actor).query((tx) => listSubscriptions(tx, actor.userId, id));
  if (!subscription) throw SubscriptionMissing();
  const about = { realm_name: actor.realm.name, realm_url: context.realmUrl(actor.realm) };
  const text = JSON.stringify({ type: 'test', ...about, user_id: actor.userId, time: context.clock.now() });
  const results = await deliver(context, [{ subscription, text, urgency: 'high', ttl: TTL_SECONDS }]);
  await context.store.as(actor).write((tx) => recordResults(context, tx, results));
  if (!results.every(({ outcome }) => outcome.kind === 'delivered')) throw NotTaken();
}
