import {
  assertEmoji,
  chosenEmoji,
  type ChosenEmoji,
  emojiNamed,
  storedEmojiType,
  UNICODE_EMOJI,
} from '#features/emoji';
import { apiEmail, findUser } from '#features/users';
import type { Actor, ActorWriteTx } from '#kernel/auth';
import { lockLog, logBatch } from '#kernel/events';
import type { MessageId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { accessMessage, deleteReaction, insertReaction, listReactionsOfEmoji, type MessageRow } from '../core/index.ts';
import { noteParticipation, recipientsOf } from '../reading/index.ts';
import { EmojiArgumentMissing, ReactionExists, ReactionMissing } from './errors.ts';
import { reactionAdded, reactionRemoved } from './events.ts';

/** What a client says of an emoji. */
export type SentEmoji = { readonly [K in keyof ChosenEmoji]: string | undefined };

/** Adds a reaction of the actor to a message. See protocol/reactions#reactions. */
export async function addReaction(
  context: Context,
  actor: Actor,
  id: MessageId,
  sent: SentEmoji & { readonly emoji_name: string },
): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const message = await accessMessage(tx, id);
    const wanted = await chosenEmoji(tx, sent.emoji_name, sent.emoji_code, sent.reaction_type);
    const others = await listReactionsOfEmoji(tx, id, wanted);
    if (others.some((other) => other.user_id === actor.userId)) throw ReactionExists();
    const [first] = others;
    // Who joins others may do so under an emoji that was renamed or taken away since.
    if (!first) await assertEmoji(tx, wanted);
    const emoji = { ...wanted, ...(first && { emoji_name: first.emoji_name }) };
    const row = { realm_id: actor.realmId, message_id: id, user_id: actor.userId, ...emoji };
    if (!(await insertReaction(tx, row))) throw ReactionExists();
    await noteParticipation(context, tx, message);
    tx.emit(reactionAdded(actor.realmId, await payloadOf(context, tx, id, emoji), await audienceOf(tx, message)));
  }, logBatch(actor.realmId));
}

/** Takes back a reaction of the actor. See protocol/reactions#reactions. */
export async function removeReaction(context: Context, actor: Actor, id: MessageId, sent: SentEmoji): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const message = await accessMessage(tx, id);
    if (sent.emoji_name === undefined && sent.emoji_code === undefined) throw EmojiArgumentMissing();
    const emoji_code = sent.emoji_code ?? (await emojiNamed(tx, sent.emoji_name ?? '')).emoji_code;
    const reaction_type = storedEmojiType(sent.reaction_type ?? UNICODE_EMOJI);
    const rows = await listReactionsOfEmoji(tx, id, { emoji_code, reaction_type });
    const own = rows.find((row) => row.user_id === actor.userId);
    if (!own) throw ReactionMissing();
    await deleteReaction(tx, own.id);
    tx.emit(reactionRemoved(actor.realmId, await payloadOf(context, tx, id, own), await audienceOf(tx, message)));
  }, logBatch(actor.realmId));
}

async function audienceOf(tx: RealmWriteTx, message: MessageRow) {
  return { audience: await recipientsOf(tx, [message]) };
}

async function payloadOf(context: Context, tx: ActorWriteTx, id: MessageId, emoji: ChosenEmoji) {
  const row = await findUser(tx, tx.actor.userId);
  if (!row) throw new Error('the actor has no account');
  const { emoji_name, emoji_code, reaction_type } = emoji;
  return {
    message_id: id,
    user_id: row.id,
    user: { user_id: row.id, email: apiEmail(row, context.realmHost(tx.realm)), full_name: row.full_name },
    emoji_name,
    emoji_code,
    reaction_type,
  };
}
