import type { RequestFacts } from '#kernel/endpoint';

/** First version of the Android app that works with this API. See protocol/authentication#compatibility. */
const FIRST_ANDROID = [16, 2, 96] as const;

/** Whether a client is too old for this server, by its name and version. See protocol/authentication#compatibility. */
export function isTooOld({ client, userAgent }: Pick<RequestFacts, 'client' | 'userAgent'>): boolean {
  if (client === 'ZulipInvalid') return true;
  // Two patterns: one that spans both parts would take the square of a long header's length.
  const version = /^ZulipMobile\/([\d.]{1,20})(?![\d.])/.exec(userAgent)?.[1];
  return version !== undefined && /\bAndroid\b/.test(userAgent) && isBefore(version.split('.').map(Number));
}

function isBefore(version: readonly number[]): boolean {
  const at = FIRST_ANDROID.findIndex((part, index) => (version[index] ?? 0) !== part);
  return at >= 0 && (version[at] ?? 0) < (FIRST_ANDROID[at] ?? 0);
}
