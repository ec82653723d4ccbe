import { addressOfMessage, type MessageRow } from '#features/messages';
import { aboutRealm, MAX_PARCELS } from '#features/push-devices';
import { type Delivery, deliver, recordResults, type Result, type SubscriptionRow } from '#features/push-subscriptions';
import { loadRealm } from '#features/realms';
import { deriveKey } from '#kernel/auth';
import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { defineJob, enqueue, type JobContext, type JobKind } from '#kernel/jobs';
import { sha256 } from '#kernel/secretbox';
import type { RealmWriteTx } from '#kernel/store';
import { truncate } from '#kernel/text';
import { findMessage } from '../decide.ts';
import { type Again, MAX_TRIES, pauseAfter, webRoad } from './again.ts';
import { loadFor, type Recipient, type Removal, type Showing } from './parcels.ts';
import { pendingAmong } from './pending.ts';

/** Seconds for which a push service keeps an undelivered notification. */
const TTL_SECONDS = 3 * SECONDS_PER_DAY;
/** Most bytes of a notification's payload: push services accept 4,096 with the overhead of encryption. */
const MAX_BYTES = 3_072;
/** Code points of a message's content if the whole content does not fit. */
const SHORT_CONTENT = 60;

/** Called after a message was sent, to handle people who have read it meanwhile. */
export type Shown = (
  context: Context,
  tx: RealmWriteTx,
  message: MessageRow,
  people: readonly Recipient[],
) => Promise<void>;
type JobHandler<P> = (payload: P, context: JobContext<Context>) => Promise<void>;

/**
 * Shows a message in the browsers and apps of some people. Each is a separate request; a separate job tries the failed
 * ones again. See protocol/push#delivery.
 */
export function defineShowingOnWeb(shown: Shown): JobKind<Showing & Again, Context> {
  const show: JobHandler<Showing & Again> = async (showing, { context, realmId, finish }) => {
    const { message_id, people, only, tries = 0 } = showing;
    const message = await findMessage(context, realmId, message_id);
    const road = { ...webRoad, devices: pageOf(only) };
    const load = message && (await loadFor(context, road, message, showing));
    const where = message && load && load.parcels.length > 0 ? await whereIs(context, message) : undefined;
    const deliveries = (load?.parcels ?? []).map(
      ({ device: subscription, payload }): Delivery => ({
        subscription,
        text: bounded({ ...payload, ...where }),
        topic: topicOf(context, subscription, where?.conversation ?? ''),
        urgency: 'high',
        ttl: TTL_SECONDS,
      }),
    );
    const owners = [...new Set(deliveries.map(({ subscription }) => subscription.user_id))];
    const results = await deliver(context, deliveries, message && pendingAmong(context, message, owners));
    await context.store.of(realmId).write(async (tx) => {
      await finish(tx);
      await recordResults(context, tx, results);
      const again = againOf(context, results, tries);
      const next = load?.next;
      if (again) {
        const rest = { ...showing, after: 0, only: again.only, tries: tries + 1 };
        await enqueue(tx, job, rest, { runAt: tx.now + again.seconds });
      }
      if (next !== undefined) await enqueue(tx, job, { ...showing, after: next });
      if (message) await shown(context, tx, message, people.filter(isIn(results)));
    });
  };
  const job = defineJob('web-push', show, 'push');
  return job;
}

/** Removes messages from somebody's browsers and apps; idempotent. See protocol/push#delivery. */
export const removeFromWebJob: JobKind<Removal & Again, Context> = defineJob<Removal & Again, Context>(
  'web-push-removal',
  async (removal, { context, realmId, finish }) => {
    const { user_id, message_ids, only, tries = 0 } = removal;
    const realm = await loadRealm(context, realmId);
    const page = { after: 0, limit: MAX_PARCELS };
    const subscriptions = await context.store.of(realmId).query((tx) => pageOf(only)(tx, [user_id], page));
    const text = JSON.stringify({ type: 'remove', ...aboutRealm(realm), user_id, message_ids });
    const deliveries = subscriptions.map(
      (subscription): Delivery => ({ subscription, text, urgency: 'normal', ttl: TTL_SECONDS, isSilent: true }),
    );
    const results = await deliver(context, deliveries);
    await context.store.of(realmId).write(async (tx) => {
      await finish(tx);
      await recordResults(context, tx, results);
      const again = againOf(context, results, tries);
      if (!again) return;
      const rest = { ...removal, only: again.only, tries: tries + 1 };
      await enqueue(tx, removeFromWebJob, rest, { runAt: tx.now + again.seconds });
    });
  },
  'push',
);

/** Whether a person was just notified. */
function isIn(results: readonly Result[]): (person: Recipient) => boolean {
  const delivered = results.filter(({ outcome }) => outcome.kind === 'delivered');
  const owners = new Set(delivered.map(({ delivery }) => delivery.subscription.user_id));
  return ([userId]) => owners.has(userId);
}

/** Finds the subscriptions of people, or only those that are left. */
function pageOf(only: readonly number[] | undefined): typeof webRoad.devices {
  return (tx, ids, page = { after: 0, limit: MAX_PARCELS }) =>
    webRoad.devices(tx, ids, only ? { ...page, only } : page);
}

/**
 * The subscriptions to try again, and after how many seconds; undefined if there are none, or the attempts are used up.
 */
function againOf({ clock }: Context, results: readonly Result[], tries: number) {
  const later = results.flatMap(({ delivery, outcome }) =>
    outcome.kind === 'later' ? [{ id: delivery.subscription.id, seconds: outcome.seconds }] : [],
  );
  if (later.length === 0 || tries + 1 >= MAX_TRIES) return undefined;
  return {
    only: later.map(({ id }) => id),
    seconds: Math.max(pauseAfter(clock, tries), ...later.map(({ seconds }) => seconds)),
  };
}

/** The place of a message for the client: its address, and a name that all messages of its conversation share. */
async function whereIs(context: Context, message: MessageRow) {
  const realm = await loadRealm(context, message.realm_id);
  const conversation = `${message.recipient_id}:${message.topic_key}`;
  return { url: await context.store.in(realm).query((tx) => addressOfMessage(tx, message)), conversation };
}

/**
 * An opaque name of the conversation, different for each subscription, with which messages of the same conversation
 * replace each other while they wait at the push service. RFC 8030 §5.4: at most 32 characters of URL-safe Base64.
 */
function topicOf({ server }: Context, { id }: SubscriptionRow, conversation: string): string {
  const key = deriveKey(server.secret, 'push topics');
  return sha256(`${key} ${id} ${conversation}`, 'base64url').slice(0, 32);
}

/** Serializes a payload within the size limit: large members that are not needed for display are dropped first. */
function bounded(payload: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(payload);
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  const { recipient_user_ids: _people, sender_avatar_url: _avatar, content, ...rest } = payload;
  const short = typeof content === 'string' ? truncate(content, SHORT_CONTENT, '…') : '';
  return JSON.stringify({ ...rest, url: payload['realm_url'], content: short });
}
