import { apiError } from '#kernel/errors';

export const InvalidLanguage = apiError({ message: 'Invalid default_language' });
export const InvalidNotificationSound = apiError<Record<never, never>, { sound: string }>({
  message: (e) => `Invalid notification sound '${e.sound}'`,
});
export const InvalidBatchingPeriod = apiError<Record<never, never>, { seconds: number }>({
  message: (e) => `Invalid email batching period: ${e.seconds} seconds`,
});
export const InvalidTimezone = apiError({ message: 'Invalid timezone' });

/** Only the users themselves may change this setting. */
export const NotForOthers = apiError({ message: 'Cannot change this setting for other users.' });

/** All errors of changing settings. */
export const SETTING_ERRORS = [InvalidLanguage, InvalidNotificationSound, InvalidBatchingPeriod, InvalidTimezone];
