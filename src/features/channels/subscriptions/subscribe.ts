import type { Actor, RealmRef, ActorWriteTx } from '#kernel/auth';
import { InsufficientPermission } from '#kernel/errors';
import { lockLog } from '#kernel/events';
import type { ChannelId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmReadTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { renderMarkdown } from '#features/rendering';
import {
  assertMayCreate,
  assertRoomForChannels,
  assertPlace,
  checkedSettings,
  createChannels,
  type CreationInput,
  newChannel,
} from '../creating/index.ts';
import {
  accessPrincipals,
  assertChannelName,
  type ChannelRow,
  channelsCreated,
  findChannelsByName,
  maySubscribeOthers,
  namesOthers,
  oneLine,
  peopleJoined,
  peopleSubscribed,
  type Powers,
  powersOf,
  type Principals,
  UnableToAccessChannel,
} from '../core/index.ts';
import { listSubscriptionsOf } from '../members/index.ts';
import { mayRead, wireColor } from '../rules.ts';
import { addSubscribers, type Subscribed } from './add.ts';
import { recordOthers } from './record.ts';

/** A request to subscribe people. See protocol/subscriptions#subscribing. */
export interface SubscribeInput extends CreationInput {
  readonly announce: boolean;
  readonly authorization_errors_fatal: boolean;
  readonly principals: Principals;
  readonly send_new_subscription_messages: boolean;
  readonly subscriptions: readonly SubscribeItem[];
}

interface SubscribeItem {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly color?: string | null | undefined;
}

/** A request with names trimmed and descriptions rendered, ready for a transaction. */
export interface PreparedSubscribe {
  readonly input: SubscribeInput;
  readonly rendered: ReadonlyMap<string, string>;
}

/** The outcome of subscribing. See protocol/subscriptions#subscribing-answer. */
export interface SubscribeAnswer {
  readonly subscribed: Record<string, string[]>;
  readonly already_subscribed: Record<string, string[]>;
  readonly unauthorized?: string[];
  readonly new_subscription_messages_sent?: boolean;
}

/** Most new subscribers of one request who get a message about it. See protocol/subscriptions#subscribing-answer. */
const MAX_NOTIFIED = 100;

/** Renders what will be shown; slow, and so outside of the transaction. */
export async function prepareSubscribe(
  context: Context,
  realm: RealmRef,
  input: SubscribeInput,
): Promise<PreparedSubscribe> {
  const subscriptions = input.subscriptions.map((item) => ({
    ...item,
    name: item.name.trim(),
    description: oneLine(item.description ?? ''),
  }));
  const rendered = new Map<string, string>();
  for (const { description } of subscriptions)
    if (!rendered.has(description)) rendered.set(description, (await renderMarkdown(context, realm, description)).html);
  return { input: { ...input, subscriptions }, rendered };
}

/**
 * Subscribes users to channels and creates the missing ones, in one transaction.
 * See protocol/subscriptions#subscribing.
 */
export async function subscribe(context: Context, actor: Actor, input: SubscribeInput): Promise<SubscribeAnswer> {
  const prepared = await prepareSubscribe(context, actor.realm, input);
  return context.store.as(actor).write((tx) => subscribePrepared(context, tx, prepared));
}

/** `subscribe` inside a transaction, in the order of protocol/subscriptions#subscribing-checks. */
export async function subscribePrepared(
  context: Context,
  tx: ActorWriteTx,
  { input, rendered }: PreparedSubscribe,
): Promise<SubscribeAnswer> {
  // Locked before anything is read: two requests for one name must not both find it missing.
  await lockLog(tx);
  const powers = await powersOf(tx);
  const { retention } = await assertPlace(tx, powers, input);
  for (const { name } of input.subscriptions) assertChannelName(name);
  const names = input.subscriptions.map((item) => item.name);
  const existing = await findChannelsByName(tx, names);
  const missing = missingItems(input.subscriptions, existing);
  const settings = missing.length > 0 ? await checkedSettings(tx, powers, input) : {};
  if (missing.length > 0) {
    assertMayCreate(context, powers, input, retention);
    await assertRoomForChannels(tx, powers, missing.length);
  }
  const created = await createChannels(
    tx,
    tx.actor.userId,
    missing.map(({ name, description }) => {
      const text = description ?? '';
      return newChannel(
        input,
        { name, description: text, rendered_description: rendered.get(text) ?? '' },
        retention,
        settings,
      );
    }),
  );
  const { open, closed } = await sortByAccess(tx, powers, input, [...existing.values()]);
  const people = await accessPrincipals(tx, input.principals, tx.realm.host);
  const outcome = await addSubscribers(tx, [...open, ...created], people, {
    colors: colorsOf(input, existing, created),
    created,
  });
  recordOthers(tx, 'added', outcome.added);
  if (created.length > 0) await channelsCreated.send(tx, { channels: created, announce: input.announce }, context);
  const made = new Set(created.map(({ id }) => id));
  const joined = outcome.added.filter(({ channel }) => !made.has(channel.id));
  if (joined.length > 0) await peopleJoined.send(tx, { joined }, context);
  if (input.send_new_subscription_messages) await tellOthers(context, tx, created, outcome);
  return answer(input, outcome, closed);
}

/** Each name that no channel has, once, as it was first written. */
function missingItems(
  items: readonly SubscribeItem[],
  existing: ReadonlyMap<string, ChannelRow>,
): readonly SubscribeItem[] {
  const missing = new Map<string, SubscribeItem>();
  for (const item of items) {
    const key = foldCase(item.name);
    if (!existing.has(key) && !missing.has(key)) missing.set(key, item);
  }
  return [...missing.values()];
}

/**
 * Checks 14 and 15: channels whose content the caller may read, and those not.
 * See protocol/subscriptions#subscribing-checks.
 */
async function sortByAccess(
  tx: RealmReadTx,
  powers: Powers,
  input: SubscribeInput,
  channels: readonly ChannelRow[],
): Promise<{ readonly open: readonly ChannelRow[]; readonly closed: readonly ChannelRow[] }> {
  const ids = channels.map((channel) => channel.id);
  const subscriptions = await listSubscriptionsOf(tx, [powers.actor.userId], ids);
  const own = new Set(
    subscriptions.filter((subscription) => subscription.is_subscribed).map((subscription) => subscription.channel_id),
  );
  const isOpen = (channel: ChannelRow) => mayRead(channel, powers.access(own.has(channel.id)));
  const open = channels.filter(isOpen);
  const closed = channels.filter((channel) => !isOpen(channel));
  const [first] = closed;
  if (first && input.authorization_errors_fatal) throw UnableToAccessChannel({ name: first.name });
  if (namesOthers(input.principals, powers.actor))
    for (const channel of open) if (!maySubscribeOthers(powers, channel)) throw InsufficientPermission();
  return { open, closed };
}

function colorsOf(
  input: SubscribeInput,
  existing: ReadonlyMap<string, ChannelRow>,
  created: readonly ChannelRow[],
): ReadonlyMap<ChannelId, string> {
  const byKey = new Map([...existing, ...created.map((channel) => [channel.name_key, channel] as const)]);
  const colors = new Map<ChannelId, string>();
  for (const { name, color } of input.subscriptions) {
    const channel = byKey.get(foldCase(name));
    if (channel && color) colors.set(channel.id, wireColor(color));
  }
  return colors;
}

/** Later slices write the notices. See protocol/subscriptions#subscription-object. */
async function tellOthers(
  context: Context,
  tx: ActorWriteTx,
  created: readonly ChannelRow[],
  outcome: Subscribed,
): Promise<void> {
  if (!fewEnough(outcome)) return;
  const isNew = new Set(created.map((channel) => channel.id));
  const isTold = ({ userId, channel }: Subscribed['added'][number]) =>
    userId !== tx.actor.userId && !isNew.has(channel.id);
  const subscribed = outcome.added.filter(isTold);
  if (subscribed.length > 0) await peopleSubscribed.send(tx, { subscribed }, context);
}

function fewEnough({ added }: Subscribed): boolean {
  return new Set(added.map((pair) => pair.userId)).size <= MAX_NOTIFIED;
}

function answer(input: SubscribeInput, outcome: Subscribed, closed: readonly ChannelRow[]): SubscribeAnswer {
  return {
    subscribed: namesByUser(outcome.added),
    already_subscribed: namesByUser(outcome.already),
    ...(!input.authorization_errors_fatal && { unauthorized: closed.map((channel) => channel.name) }),
    ...(input.send_new_subscription_messages && { new_subscription_messages_sent: fewEnough(outcome) }),
  };
}

function namesByUser(pairs: readonly { userId: UserId; channel: ChannelRow }[]): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const { userId, channel } of pairs) (names[String(userId)] ??= []).push(channel.name);
  return names;
}
