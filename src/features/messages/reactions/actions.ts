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
import {
  accessMessage,
  countEmojiOn,
  deleteReaction,
  findReaction,
  insertReaction,
  type MessageRow,
} from '../core/index.ts';
import { noteParticipation, recipientsOf } from '../reading/index.ts';
import { EmojiArgumentMissing, MAX_EMOJI, ReactionExists, ReactionMissing, TooManyEmoji } from './errors.ts';
import { reactionAdded, reactionRemoved } from './events.ts';

/** A message ID and an emoji as a client sends them. */
type SentReaction = { readonly [K in keyof ChosenEmoji]: string | undefined } & { readonly message_id: MessageId };

/** Adds a reaction of the actor to a message. See protocol/reactions#reactions. */
export async function addReaction(
  context: Context,
  actor: Actor,
  sent: SentReaction & { readonly emoji_name: string },
): Promise<void> {
  const id = sent.message_id;
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const message = await accessMessage(tx, id);
    const wanted = await chosenEmoji(tx, sent.emoji_name, sent.emoji_code, sent.reaction_type);
    if (await findReaction(tx, id, { ...wanted, user_id: actor.userId })) throw ReactionExists();
    const other = await findReaction(tx, id, wanted);
    // Somebody may join others' reaction even if the emoji was renamed or removed since.
    if (!other) await assertEmoji(tx, wanted);
    if (!other && (await countEmojiOn(tx, id, MAX_EMOJI)) >= MAX_EMOJI) throw TooManyEmoji();
    const emoji = { ...wanted, ...(other && { emoji_name: other.emoji_name }) };
    const row = { realm_id: actor.realmId, message_id: id, user_id: actor.userId, ...emoji };
    if (!(await insertReaction(tx, row))) throw ReactionExists();
    await noteParticipation(context, tx, message);
    tx.emit(reactionAdded(await payloadOf(tx, { ...emoji, message_id: id }), await audienceOf(tx, message)));
  }, logBatch(actor.realmId));
}

/** Takes back a reaction of the actor. See protocol/reactions#reactions. */
export async function removeReaction(context: Context, actor: Actor, sent: SentReaction): Promise<void> {
  const id = sent.message_id;
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const message = await accessMessage(tx, id);
    if (sent.emoji_name === undefined && sent.emoji_code === undefined) throw EmojiArgumentMissing();
    const emoji_code = sent.emoji_code ?? (await emojiNamed(tx, sent.emoji_name ?? '')).emoji_code;
    const reaction_type = storedEmojiType(sent.reaction_type ?? UNICODE_EMOJI);
    const own = await findReaction(tx, id, { emoji_code, reaction_type, user_id: actor.userId });
    if (!own) throw ReactionMissing();
    await deleteReaction(tx, own.id);
    tx.emit(reactionRemoved(await payloadOf(tx, own), await audienceOf(tx, message)));
  }, logBatch(actor.realmId));
}

async function audienceOf(tx: RealmWriteTx, message: MessageRow) {
  return { audience: await recipientsOf(tx, [message]) };
}

async function payloadOf(
  tx: ActorWriteTx,
  { message_id, emoji_name, emoji_code, reaction_type }: ChosenEmoji & { readonly message_id: MessageId },
) {
  const row = await findUser(tx, tx.actor.userId);
  if (!row) throw new Error('the actor has no account');
  return {
    message_id,
    user_id: row.id,
    user: { user_id: row.id, email: apiEmail(row, tx.realm.host), full_name: row.full_name },
    emoji_name,
    emoji_code,
    reaction_type,
  };
}
