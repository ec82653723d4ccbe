import { apiError } from '#kernel/errors';

export const InvalidLanguage = apiError<Record<never, never>, { language: string }>({
  message: (e) => `Invalid language '${e.language}'`,
});
export const NoAuthenticationMethod = apiError({
  message: 'At least one authentication method must be enabled.',
});
export const InvalidAuthenticationMethod = apiError<Record<never, never>, { name: string; valid: string }>({
  message: (e) => `Invalid authentication method: ${e.name}. Valid methods are: ${e.valid}`,
});
export const InvalidVideoChatProvider = apiError<Record<never, never>, { value: number }>({
  message: (e) => `Invalid video_chat_provider ${e.value}`,
});
export const InvalidGifRatingPolicy = apiError<Record<never, never>, { value: number }>({
  message: (e) => `Invalid gif_rating_policy ${e.value}`,
});
export const ModerationChannelPublic = apiError({ message: 'Moderation request channel must be private.' });
