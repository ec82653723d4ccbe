import { sendingChannelOf } from '#features/bots';
import type { Actor } from '#kernel/auth';
import { ApiError } from '#kernel/errors';
import { logBatch } from '#kernel/events';
import type { Context } from '#kernel/context';
import { actingAs, type RealmReadTx, type RealmWriteTx } from '#kernel/store';
import {
  type ChannelAddress,
  ChannelIdMissing,
  channelMissed,
  ChannelNameMissing,
  type MessageRow,
  MissingTopic,
  normaliseTopic,
  parseChannelAddress,
  parsePeopleAddress,
  parseWidgetContent,
  type PeopleAddress,
} from '../core/index.ts';
import { countHtml, countPeople, type Outgoing, prepareMessage } from './outgoing.ts';
import { afterSame, keyOfSend, type SendAnswer, storedOnce } from './idempotency.ts';
import { assertMaySendToChannel, sendToChannel } from './to-channel.ts';
import { assertMaySendToPeople, sendToPeople } from './to-people.ts';

/** A message as a client sends it. */
export interface SendInput {
  readonly type: 'direct' | 'private' | 'channel' | 'stream';
  readonly to: string | undefined;
  readonly topic: string | undefined;
  readonly content: string;
  readonly queue_id?: string | undefined;
  readonly local_id?: string | undefined;
  readonly idempotency_key?: string | undefined;
  readonly read_by_sender: boolean;
  readonly widget_content?: string | undefined;
}

/** A topic that a message is sent to. */
export interface TopicDestination {
  readonly channel: ChannelAddress;
  readonly topic: string;
}

/** The place a message is sent to. */
export type Destination = TopicDestination | { readonly people: PeopleAddress };

/** A stored message, and the visibility policy of the topic that its sender has because of it. */
export interface Sent {
  readonly message: MessageRow;
  readonly policy: 2 | 3 | undefined;
}

/**
 * Sends a message to a channel's topic or to people, once under each key that its client gives. See
 * protocol/messages#checks, protocol/messages#idempotency-keys.
 */
export async function sendMessage(context: Context, actor: Actor, input: SendInput): Promise<SendAnswer> {
  const { queue_id, local_id } = input;
  const destination = parseDestination(await addressed(context, actor, input));
  const outgoing = await prepareMessage(context, actor, {
    content: input.content,
    origin:
      queue_id !== undefined && local_id !== undefined ? { queue_id, local_id, user_id: actor.userId } : undefined,
    isRead: input.read_by_sender,
    widget: parseWidgetContent(input.widget_content),
  });
  await countHtml(context, outgoing);
  if ('people' in destination) await countPeople(context, actor, destination.people);
  const key = keyOfSend(actor, input);
  const send = () =>
    context.store
      .as(actor)
      .write(
        (tx) => storedOnce(tx, key, () => sendPrepared(context, tx, outgoing, destination)),
        logBatch(actor.realmId),
      )
      .catch((error: unknown) => tellOfMissing(context, actor, destination, error));
  return afterSame(key, send);
}

/** Fills in a bot's default channel where the bot names none. See protocol/messages#addresses. */
async function addressed(context: Context, actor: Actor, input: SendInput): Promise<SendInput> {
  if (!actor.isBot || input.to !== undefined || isDirect(input)) return input;
  const id = await context.store.as(actor).query((tx) => sendingChannelOf(tx));
  return id === null ? input : { ...input, to: String(id) };
}

/**
 * Signals later slices that a bot did not find a channel, because nobody sees the errors that a bot gets. See
 * protocol/messages#addresses.
 */
async function tellOfMissing(context: Context, actor: Actor, destination: Destination, error: unknown): Promise<never> {
  const isMissing = error instanceof ApiError && MISSING.includes(error.row);
  if (actor.isBot && isMissing && 'channel' in destination)
    await context.store.as(actor).write((tx) => channelMissed.send(tx, { address: destination.channel }, context));
  throw error;
}

const MISSING: readonly unknown[] = [ChannelNameMissing.row, ChannelIdMissing.row];

function isDirect({ type }: Pick<SendInput, 'type'>): boolean {
  return type === 'direct' || type === 'private';
}

/** Parses the destination from `type`, `to` and `topic`. See protocol/messages#addresses. */
function parseDestination(input: Pick<SendInput, 'type' | 'to' | 'topic'>): Destination {
  if (isDirect(input)) return { people: parsePeopleAddress(input.to) };
  const channel = parseChannelAddress(input.to);
  if (input.topic === undefined) throw MissingTopic();
  return { channel, topic: normaliseTopic(input.topic) };
}

/** Checks whether a prepared message's sender may send it to its destination, stores it and emits its events. */
export function sendPrepared(
  context: Context,
  tx: RealmWriteTx,
  outgoing: Outgoing,
  destination: Destination,
): Promise<Sent> {
  const own = actingAs(tx, outgoing.actor);
  return 'people' in destination
    ? sendToPeople(context, own, outgoing, destination.people)
    : sendToChannel(context, own, outgoing, destination);
}

/** Throws unless a prepared message's sender may send it there now; mentions are not checked. */
export async function assertMaySend(tx: RealmReadTx, outgoing: Outgoing, destination: Destination): Promise<void> {
  const own = actingAs(tx, outgoing.actor);
  if ('people' in destination) await assertMaySendToPeople(own, outgoing, destination.people);
  else await assertMaySendToChannel(own, outgoing, destination);
}
