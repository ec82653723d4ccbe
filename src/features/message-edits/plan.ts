import type { ActorReadTx } from '#kernel/auth';
import type { ChannelId, MessageId } from '#kernel/ids';
import { sha256 } from '#kernel/secretbox';
import type { RealmReadTx } from '#kernel/store';
import { type ChannelRow, findChannel } from '#features/channels';
import { ExpectationMismatch } from '#features/groups';
import { truncate, unprintablePosition, requestedTopic } from '#kernel/text';
import {
  accessMessage,
  hasParts,
  MAX_TOPIC,
  type MessageRow,
  normaliseContent,
  type Outgoing,
  TopicCharacter,
} from '#features/messages';
import { readRealm, type RealmRow, settingsOf } from '#features/realms';
import { assertMayContain, type Editable, type NewContent } from './content.ts';
import * as errors from './errors.ts';
import { assertMayMove, assertMayRename, type Moving } from './move-rights.ts';
import { isHistoryFull, isTooOld, resolving, RESOLVED_PREFIX } from './rules.ts';

export type PropagateMode = 'change_one' | 'change_later' | 'change_all';

/** A change as a client sends it. */
export interface EditInput {
  readonly message_id: MessageId;
  readonly topic: string | undefined;
  readonly stream_id: ChannelId | undefined;
  readonly content: string | undefined;
  readonly propagate_mode: PropagateMode;
  readonly prev_content_sha256: string | undefined;
}

/** A change with its new content, if any, rendered. */
export interface RenderedEdit extends EditInput {
  readonly outgoing: Outgoing | undefined;
}

/** The source and target of a move. */
export interface Move {
  /** The message that the request names. */
  readonly message: MessageRow;
  readonly source: ChannelRow;
  readonly target: ChannelRow;
  readonly topic: string;
  readonly isRenamed: boolean;
  readonly toggled: 'resolved' | 'unresolved' | undefined;
  readonly mode: PropagateMode;
}

/** A requested change before its content is rendered. */
interface Proposal extends Editable {
  readonly content: string | undefined;
  readonly moving: Moving | undefined;
}

/** A permitted change. */
export interface Plan extends Editable {
  readonly content: NewContent | undefined;
  readonly move: Move | undefined;
}

/**
 * Reads what a change asks for; throws what forbids it before new content is rendered. See protocol/editing#checks,
 * checks 1 to 18.
 */
export async function proposeEdit(tx: ActorReadTx, input: EditInput): Promise<Proposal> {
  const message = await accessMessage(tx, input.message_id);
  const row = await readRealm(tx);
  if (input.content !== undefined) assertMayEdit(tx, row, message);
  const wanted = topicOf(input.topic);
  const topic = wanted === undefined || wanted === message.topic ? undefined : wanted;
  const stream_id = input.stream_id === message.channel_id ? undefined : input.stream_id;
  assertCoherent(message, { ...input, topic, stream_id });
  const name = topic === undefined ? undefined : checkedTopic(topic);
  await assertContent(tx, message, { ...input, stream_id });
  const content = input.content === undefined ? undefined : newText(input.content);
  const channel = message.channel_id === null ? undefined : await findChannel(tx, message.channel_id);
  if (!channel || (name === undefined && stream_id === undefined))
    return { message, channel, content, moving: undefined };
  const toggled =
    name !== undefined && stream_id === undefined ? resolving(message.topic, topic ?? message.topic) : undefined;
  const moving = { row, message, source: channel, topic: name, stream_id, toggled, mode: input.propagate_mode };
  await assertMayRename(tx, moving);
  return { message, channel, content, moving };
}

/** Plans a change after its content was rendered; throws what forbids it. See protocol/editing#checks. */
export async function planEdit(tx: ActorReadTx, { outgoing, ...input }: RenderedEdit): Promise<Plan> {
  const { message, channel, moving } = await proposeEdit(tx, input);
  const content = outgoing && (await assertMayContain(tx, { message, channel }, outgoing));
  return { message, channel, content, move: moving && (await planMove(tx, moving)) };
}

async function planMove(tx: ActorReadTx, moving: Moving): Promise<Move> {
  const { message, source, topic, toggled, mode } = moving;
  const target = await assertMayMove(tx, moving);
  return { message, source, target, topic: topic ?? message.topic, isRenamed: topic !== undefined, toggled, mode };
}

/** Checks 2 to 4. */
function assertMayEdit(tx: ActorReadTx, row: RealmRow, message: MessageRow): void {
  const { allow_message_editing, message_content_edit_limit_seconds: limit } = settingsOf(row);
  if (!allow_message_editing) throw errors.EditingTurnedOff();
  if (message.sender_id !== tx.actor.userId) throw errors.EditingRefused();
  if (isTooOld(message.sent_at, limit, tx.now)) throw errors.EditingTimePassed();
  if (isHistoryFull(message.edit_history ?? [])) throw errors.ChangedTooOften();
}

/** Normalises the topic of a request: names that stand for the unnamed topic become empty. */
function topicOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : requestedTopic(text);
}

/** Checks 6 to 9, after unchanged members have been dropped. */
function assertCoherent(message: MessageRow, { topic, stream_id, content, propagate_mode }: EditInput): void {
  const isMove = topic !== undefined || stream_id !== undefined;
  if (!isMove && content === undefined) throw errors.NothingToChange();
  if (message.channel_id === null && stream_id !== undefined) throw errors.DirectIntoChannel();
  if (message.channel_id === null && topic !== undefined) throw errors.DirectWithTopic();
  if (!isMove && propagate_mode !== 'change_one') throw errors.PropagationWithoutMove();
  if (topic === RESOLVED_PREFIX.trim()) throw errors.UnnamedResolved();
}

/** Check 10; a long name is cut. */
function checkedTopic(topic: string): string {
  const position = unprintablePosition(topic);
  if (position > 0) throw TopicCharacter({ position });
  return truncate(topic, MAX_TOPIC, '...');
}

/** The new content; an empty one becomes "(deleted)". Check 14. */
const newText = (content: string): string => (content.trim() === '' ? '(deleted)' : normaliseContent(content));

/** Checks 11 to 13. */
async function assertContent(
  tx: RealmReadTx,
  message: MessageRow,
  { content, prev_content_sha256, stream_id }: EditInput,
): Promise<void> {
  if (content !== undefined && stream_id !== undefined) throw errors.ContentAndChannel();
  if (content !== undefined && (await hasParts(tx, message.id))) throw errors.WidgetFixed();
  if (prev_content_sha256 !== undefined && prev_content_sha256 !== sha256(message.content))
    throw ExpectationMismatch({ field_name: 'prev_content_sha256' });
}
