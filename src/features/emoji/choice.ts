import { asId } from '#kernel/ids';
import { lookUp } from '#kernel/lists';
import { codeToNames, emojiCode, EXTRA_EMOJI } from '#kernel/markdown';
import type { RealmReadTx } from '#kernel/store';
import {
  CustomEmojiDeactivated,
  InvalidCustomEmoji,
  InvalidCustomEmojiName,
  InvalidEmojiCode,
  InvalidEmojiName,
  InvalidEmojiType,
  NoSuchEmoji,
} from './errors.ts';
import { findEmoji, findEmojiByName } from './queries.ts';
import type { EmojiId, EmojiRow } from './tables.ts';

/** An emoji in a status or a reaction, in the form that is stored and sent. */
export interface ChosenEmoji {
  readonly emoji_name: string;
  /** Code points in hex, the ID of a custom emoji, or the name of the one extra emoji. */
  readonly emoji_code: string;
  readonly reaction_type: string;
}

export const UNICODE_EMOJI = 'unicode_emoji';
const CUSTOM = 'realm_emoji';
const EXTRA = 'zulip_extra_emoji';

/**
 * Returns the stored name of an emoji's type; the specification's name of the extra type is an alias of the one that
 * clients use. See protocol/emoji#types.
 */
export function storedEmojiType(type: string): string {
  return type === 'service_extra_emoji' ? EXTRA : type;
}

/** Finds an emoji by name: a custom emoji, the extra one, or a Unicode one. See protocol/status#setting, check 5. */
export async function emojiNamed(tx: RealmReadTx, name: string): Promise<ChosenEmoji> {
  const own = await findEmojiByName(tx, name);
  if (own) return { emoji_name: name, emoji_code: String(own.id), reaction_type: CUSTOM };
  if (name === EXTRA_EMOJI) return { emoji_name: name, emoji_code: name, reaction_type: EXTRA };
  const code = emojiCode(name);
  if (code === undefined) throw NoSuchEmoji({ name });
  return { emoji_name: name, emoji_code: code, reaction_type: UNICODE_EMOJI };
}

/** Completes an emoji that a client named; only what the client left out is looked up. */
export async function chosenEmoji(
  tx: RealmReadTx,
  name: string,
  code: string | undefined,
  type: string | undefined,
): Promise<ChosenEmoji> {
  const found = code && type ? undefined : await emojiNamed(tx, name);
  return {
    emoji_name: name,
    emoji_code: code || found?.emoji_code || '',
    reaction_type: storedEmojiType(type || found?.reaction_type || ''),
  };
}

/** Throws unless type, code and name match. See protocol/status#setting, checks 6 to 9, protocol/emoji#choice. */
export async function assertEmoji(tx: RealmReadTx, emoji: ChosenEmoji): Promise<void> {
  const { emoji_name: name, emoji_code: code, reaction_type: type } = emoji;
  if (type === CUSTOM) return assertCustom(await emojiOfCode(tx, code), name);
  const names = lookUp(NAMES, type);
  if (!names) throw InvalidEmojiType();
  const known = names(code);
  if (!known) throw InvalidEmojiCode();
  if (!known.includes(name)) throw InvalidEmojiName();
}

/** Returns the names of a code, by type; undefined for an unknown code. */
const NAMES: Readonly<Record<string, (code: string) => readonly string[] | undefined>> = {
  [EXTRA]: (code) => (code === EXTRA_EMOJI ? [EXTRA_EMOJI] : undefined),
  [UNICODE_EMOJI]: (code) => lookUp(codeToNames, code),
};

async function emojiOfCode(tx: RealmReadTx, code: string): Promise<EmojiRow | undefined> {
  return /^\d{1,9}$/.test(code) ? findEmoji(tx, asId<EmojiId>(Number(code))) : undefined;
}

function assertCustom(row: EmojiRow | undefined, name: string): void {
  if (!row) throw InvalidCustomEmoji();
  if (row.name !== name) throw InvalidCustomEmojiName();
  if (row.deactivated) throw CustomEmojiDeactivated();
}
