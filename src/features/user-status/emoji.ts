import type { RealmReadTx } from '#kernel/store';
import { assertEmoji, chosenEmoji, type ChosenEmoji, UNICODE_EMOJI } from '#features/emoji';
import { EmojiNameMissing } from './errors.ts';

/** What a client sent of an emoji. */
export type SentEmoji = { readonly [K in keyof ChosenEmoji]: string | undefined };

/** No emoji; deployed clients expect a type even so. */
const NO_EMOJI: ChosenEmoji = { emoji_name: '', emoji_code: '', reaction_type: UNICODE_EMOJI };

/** The emoji that a client means, undefined when it said nothing of one. See protocol/status#setting, checks 3 to 9. */
export async function resolveEmoji(tx: RealmReadTx, sent: SentEmoji): Promise<ChosenEmoji | undefined> {
  const { emoji_name: name, emoji_code, reaction_type } = sent;
  if (name === '') return NO_EMOJI;
  if (name === undefined) {
    if (emoji_code || reaction_type) throw EmojiNameMissing();
    return undefined;
  }
  const emoji = await chosenEmoji(tx, name, emoji_code, reaction_type);
  await assertEmoji(tx, emoji);
  return emoji;
}
