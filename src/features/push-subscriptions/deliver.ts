import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { OutboundFault } from '#kernel/outbound';
import { lockPushes, vapidHeader, type VapidKeys, vapidKeysOf } from '#kernel/secretbox';
import { inChunks, lockInOrder, type RealmWriteTx } from '#kernel/store';
import type { Pending } from '#features/push-devices';
import { noteUndelivered, type Undelivered } from '#features/undelivered';
import { deleteFailing, deleteSealed, setDelivered, setFailed } from './queries.ts';
import { CircuitBreaker } from './breaker.ts';
import { DeliverySlots } from './delivery-slots.ts';
import { openTarget } from './sealed.ts';
import type { SubscriptionRow } from './tables.ts';

/** Milliseconds within which a push service must answer. */
const TIMEOUT_MS = 5_000;
/** Bytes of an answer that are read; only its status matters. */
const MAX_ANSWER_BYTES = 65_536;
/** Simultaneous requests of one call. */
const AT_ONCE = 25;
/**
 * Seconds until another attempt for a delivery that found no slot, because the host or all of a person's services are
 * silent.
 */
const SILENT_SECONDS = 5;
/** Deliveries that are encrypted in one batch. */
const BATCH = 25;
/**
 * Seconds that a signature is valid, and seconds before its expiry at which it is renewed. RFC 8292 §2 allows a day.
 */
const SIGNED_SECONDS = 12 * 3600;
const RENEW_SECONDS = 3600;
/** Most signatures that are cached, one for each push service. */
const MAX_SIGNED = 1_000;
/** Seconds of failures without a success after which a subscription is deleted. */
const HOPELESS_SECONDS = 14 * SECONDS_PER_DAY;
/** Longest wait that a push service may ask for, in seconds. */
const MAX_WAIT_SECONDS = 3_600;

/** A notification for one subscription. */
export interface Delivery {
  readonly subscription: SubscriptionRow;
  /** JSON for the browser or app, at most 3 KB. */
  readonly text: string;
  /** Messages of one topic replace each other while they wait at the push service. RFC 8030 §5.4. */
  readonly topic?: string;
  readonly urgency: 'high' | 'normal';
  /** Seconds for which the push service keeps it. */
  readonly ttl: number;
  /** Whether it may be delivered without showing anything. */
  readonly isSilent?: true;
}

/** Push services that end a subscription after a few messages that did not show anything. */
const SHOWING_ONLY = /(^|\.)push\.apple\.com$/;

/**
 * Result of a delivery. `later`: it may succeed after so many seconds; `left`: it was not sent, because nobody needs it
 * any more, or its push service would end the subscription for it.
 */
export type Outcome =
  | { readonly kind: 'delivered' | 'gone' | 'left' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'later'; readonly reason: string; readonly seconds: number };

const LEFT: Outcome = { kind: 'left' };
const GONE: Outcome = { kind: 'gone' };

/** A delivery and its result. */
export interface Result {
  readonly delivery: Delivery;
  readonly outcome: Outcome;
}

interface Post {
  readonly counter: ReturnType<Context['metrics']['counter']>;
  readonly keys: VapidKeys;
  readonly breaker: CircuitBreaker;
  readonly slots: DeliverySlots;
  readonly signed: Map<string, { readonly header: string; readonly expiresAt: number }>;
}

const posts = new WeakMap<Context['outbound'], Post>();

/**
 * Sends deliveries to the push services, several at once; skips users whom `pending` no longer names. Never throws
 * errors of a service or the network.
 */
export async function deliver(
  context: Context,
  deliveries: readonly Delivery[],
  pending?: Pending,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = inBatches(context, deliveries);
  const work = async () => {
    for (const { delivery, letter } of left) {
      const isPending = async () => (await pending?.())?.has(delivery.subscription.user_id) ?? true;
      const outcome = await deliverOne(context, delivery, await letter(), isPending);
      postOf(context).counter.inc({ kind: delivery.subscription.kind, outcome: outcome.kind });
      results.push({ delivery, outcome });
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, deliveries.length) }, work));
  return results;
}

/**
 * Yields each delivery with its encrypted request. Requests are encrypted in batches, when the first of a batch is
 * needed.
 */
function* inBatches(context: Context, deliveries: readonly Delivery[]) {
  for (const batch of inChunks(deliveries, BATCH)) {
    let sealed: Promise<readonly Letter[]> | undefined;
    for (const [index, delivery] of batch.entries())
      yield { delivery, letter: async () => (await (sealed ??= sealAll(context, batch)))[index] ?? GONE };
  }
}

/** An encrypted request to a push service, or a result that is known already. */
type Letter = Outcome | Sealed;

interface Sealed {
  readonly kind: 'sealed';
  readonly endpoint: string;
  readonly body: Uint8Array;
}

/** Encrypts deliveries, except those that cannot be sent now. */
async function sealAll(context: Context, deliveries: readonly Delivery[]): Promise<readonly Letter[]> {
  const targets = await Promise.all(
    deliveries.map(async ({ subscription, text }) => {
      const target = await openTarget(context.server.secret, subscription);
      return target && { ...target, text };
    }),
  );
  const { breaker } = postOf(context);
  const rests = targets.map((target) => (target ? breaker.pauseOf(new URL(target.endpoint).host) : 0));
  const wanted = targets.flatMap((target, index) => (target && rests[index] === 0 ? [target] : []));
  const bodies = await lockPushes(wanted.map(({ keys, text }) => ({ ...keys, text })));
  const sealed = new Map(wanted.map((target, index) => [target, bodies[index]]));
  return targets.map((target, index): Letter => {
    // The server has another secret now, so the browser's subscription is for keys that no longer exist.
    if (!target) return GONE;
    const body = sealed.get(target);
    return body ? { kind: 'sealed', endpoint: target.endpoint, body } : resting(rests[index] ?? 0);
  });
}

const resting = (seconds: number): Outcome => ({ kind: 'later', reason: 'unreachable', seconds });

/** Records the results of deliveries, and deletes subscriptions that cannot be reached any more. */
export async function recordResults(
  context: Pick<Context, 'metrics'>,
  tx: RealmWriteTx,
  results: readonly Result[],
): Promise<void> {
  const idsOf = (wanted: (outcome: Outcome) => boolean) =>
    results.filter(({ outcome }) => wanted(outcome)).map(({ delivery }) => delivery.subscription.id);
  await lockInOrder(
    tx,
    'push_subscription',
    idsOf(({ kind }) => kind !== 'left'),
  );
  await setDelivered(
    tx,
    idsOf(({ kind }) => kind === 'delivered'),
  );
  const gone = results.filter(({ outcome }) => outcome.kind === 'gone').map(({ delivery }) => delivery.subscription);
  await deleteSealed(tx, gone);
  const reasons = new Set(results.flatMap(({ outcome }) => ('reason' in outcome ? [outcome.reason] : [])));
  // A query for each reason is fine: there are about ten reasons.
  for (const reason of reasons) {
    const ids = idsOf((outcome) => 'reason' in outcome && outcome.reason === reason);
    await deleteFailing(tx, ids, tx.now - HOPELESS_SECONDS);
    await setFailed(tx, ids, reason);
  }
  await noteUndelivered(context, tx, results.flatMap(undeliveredOf));
}

function undeliveredOf({ delivery: { isSilent, subscription }, outcome }: Result): readonly Undelivered[] {
  if (isSilent || outcome.kind === 'delivered' || outcome.kind === 'left') return [];
  return [{ road: subscription.kind, reason: 'reason' in outcome ? outcome.reason : 'gone' }];
}

async function deliverOne(
  context: Context,
  delivery: Delivery,
  letter: Letter,
  isPending: () => Promise<boolean>,
): Promise<Outcome> {
  if (letter.kind !== 'sealed') return (await isPending()) ? letter : LEFT;
  const { host, hostname } = new URL(letter.endpoint);
  if (delivery.isSilent && SHOWING_ONLY.test(hostname)) return LEFT;
  const { breaker, slots } = postOf(context);
  const rest = breaker.pauseOf(host);
  if (rest > 0) return (await isPending()) ? resting(rest) : LEFT;
  const giveBack = await slots.take(host, delivery.subscription.user_id);
  let hasAnswered: boolean | undefined;
  try {
    // Checked last, because the user may have read the message while the delivery waited for a slot.
    if (!(await isPending())) return LEFT;
    if (!giveBack) return resting(SILENT_SECONDS);
    const outcome = await send(context, delivery, letter);
    hasAnswered = breaker.pauseOf(host) === 0 && outcome.kind !== 'later';
    return outcome;
  } finally {
    giveBack?.(hasAnswered);
  }
}

async function send(context: Context, { topic, ttl, urgency }: Delivery, { endpoint, body }: Sealed): Promise<Outcome> {
  const { origin, host } = new URL(endpoint);
  const post = postOf(context);
  try {
    const headers = {
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      authorization: signatureFor(context, post, origin),
      ttl: String(ttl),
      urgency,
      ...(topic !== undefined && { topic }),
    };
    const bounds = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES, maxRedirects: 0, isReusing: true };
    const reply = await context.outbound.fetch({ url: endpoint, method: 'POST', headers, body, ...bounds });
    const outcome = outcomeOf(reply.status, reply.headers.get('retry-after'));
    if (reply.status >= 500) post.breaker.failed(host);
    else post.breaker.answered(host);
    return outcome;
  } catch (error) {
    if (!(error instanceof OutboundFault)) throw error;
    return outcomeOfFault(error, post, host);
  }
}

/** RFC 8030 §5; 404 and 410 end a subscription (§7.3). */
function outcomeOf(status: number, retryAfter: string | undefined): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const seconds = Math.min(MAX_WAIT_SECONDS, Math.max(0, Number(retryAfter) || 0));
  if (status === 429 || status >= 500) return { kind: 'later', reason: `status ${status}`, seconds };
  return { kind: 'refused', reason: `status ${status}` };
}

function outcomeOfFault({ reason }: OutboundFault, { breaker }: Post, host: string): Outcome {
  if (reason === 'size' || reason === 'encoding') return { kind: 'refused', reason: 'answer' };
  if (reason === 'address' || reason === 'forbidden' || reason === 'redirects') return { kind: 'refused', reason };
  breaker.failed(host);
  return { kind: 'later', reason: reason === 'time' ? 'timeout' : 'unreachable', seconds: 0 };
}

function postOf({ outbound, clock, server, metrics }: Context): Post {
  const known = posts.get(outbound);
  if (known) return known;
  const about = 'Notifications for browsers and UnifiedPush apps';
  const counter = metrics.counter('roost_web_push_total', about, ['kind', 'outcome']);
  const keys = vapidKeysOf(server.secret);
  const [breaker, slots] = [new CircuitBreaker(clock), new DeliverySlots(clock)];
  const post = { counter, keys, breaker, slots, signed: new Map() };
  posts.set(outbound, post);
  return post;
}

/** The signature for a push service; made about twice a day and cached. */
function signatureFor({ clock, server }: Context, { keys, signed }: Post, audience: string): string {
  const known = signed.get(audience);
  if (known && known.expiresAt > clock.now() + RENEW_SECONDS) return known.header;
  const expiresAt = clock.now() + SIGNED_SECONDS;
  const header = vapidHeader(keys, { audience, expiresAt, subject: subjectOf(server.externalUrl) });
  if (signed.size >= MAX_SIGNED) signed.clear();
  signed.set(audience, { header, expiresAt });
  return header;
}

/** Contact address of the operator for a push service. RFC 8292 §2.1: an `https:` or `mailto:` address. */
function subjectOf(externalUrl: string): string {
  return externalUrl.startsWith('https:') ? externalUrl : `mailto:noreply@${new URL(externalUrl).hostname}`;
}
