import { InvalidBatchingPeriod, InvalidLanguage, InvalidNotificationSound, InvalidTimezone } from './errors.ts';
import { MAX_BATCHING_SECONDS, NOTIFICATION_SOUNDS, type UserSettings } from './settings.ts';

/** Languages of the clients' translations. */
const LANGUAGES: ReadonlySet<string> = new Set(
  'ar be bg bn ca cs cy da de el en en-gb eo es fa fi fr gl gu hi hu id it ja ko lt lv ml mn nl pl pt pt-br pt-pt ro ru si sk sr sv ta tl tr uk uz vi zh-hans zh-hant zh-tw'.split(
    ' ',
  ),
);

export const isLanguage = (code: string): boolean => LANGUAGES.has(code);

/** A language's name in that language. */
export function languageName(code: string): string {
  return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
}

/** Throws at the first value that the schema accepts but is not valid. See protocol/settings#changing, in order. */
export function assertValid(sent: { readonly [K in keyof UserSettings]?: UserSettings[K] | undefined }): void {
  const { default_language, notification_sound, email_notifications_batching_period_seconds: seconds, timezone } = sent;
  if (default_language !== undefined && !isLanguage(default_language)) throw InvalidLanguage();
  if (
    notification_sound !== undefined &&
    notification_sound !== 'none' &&
    !NOTIFICATION_SOUNDS.includes(notification_sound)
  )
    throw InvalidNotificationSound({ sound: notification_sound });
  if (seconds !== undefined && (seconds < 1 || seconds > MAX_BATCHING_SECONDS))
    throw InvalidBatchingPeriod({ seconds });
  if (timezone !== undefined && !isTimezone(timezone)) throw InvalidTimezone();
}

function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
