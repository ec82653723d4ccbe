import { apiError } from '#kernel/errors';

export const EmojiNameEnding = apiError({ message: 'Emoji names must end with either a letter or digit.' });
export const EmojiNameCharacter = apiError({
  message: 'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
});
export const EmojiNameMissing = apiError({ message: 'Emoji name is missing' });
export const EmojiExists = apiError({ message: 'A custom emoji with this name already exists.' });
export const OneEmojiFile = apiError({ message: 'You must upload exactly one file.' });
export const StandardEmoji = apiError({ message: 'Only administrators can override default emoji.' });
export const EmojiMissing = apiError<Record<never, never>, { name: string }>({
  status: 404,
  message: (e) => `Emoji '${e.name}' does not exist`,
});
export const NotEmojiAuthor = apiError({ message: 'Must be an organization administrator or emoji author' });

export const NoSuchEmoji = apiError<Record<never, never>, { name: string }>({
  message: (e) => `Emoji '${e.name}' does not exist`,
});
export const InvalidCustomEmoji = apiError({ message: 'Invalid custom emoji.' });
export const InvalidCustomEmojiName = apiError({ message: 'Invalid custom emoji name.' });
export const CustomEmojiDeactivated = apiError({ message: 'This custom emoji has been deactivated.' });
export const InvalidEmojiCode = apiError({ message: 'Invalid emoji code.' });
export const InvalidEmojiName = apiError({ message: 'Invalid emoji name.' });
export const InvalidEmojiType = apiError({ message: 'Invalid emoji type.' });

/** All errors of choosing an emoji. */
export const EMOJI_ERRORS = [
  NoSuchEmoji,
  InvalidCustomEmoji,
  InvalidCustomEmojiName,
  CustomEmojiDeactivated,
  InvalidEmojiCode,
  InvalidEmojiName,
  InvalidEmojiType,
] as const;
