/**
 * Seconds that a code is valid, and its number of digits: the values that every authenticator app supports (RFC 6238).
 */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** Number of earlier and later codes that are accepted, because clocks of phones are not exact. */
const WINDOW = 1;

/** The library is loaded with the first code. */
const load = () => import('otpauth');

/** A fresh secret of 160 bits, in base32. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await load();
  return new Secret({ size: 20 }).base32;
}

/** The address that an authenticator app scans. */
export async function totpAddress(secret: string, issuer: string, label: string): Promise<string> {
  const { Secret, TOTP } = await load();
  // A colon would end the issuer.
  const clean = issuer.replaceAll(':', ' ');
  return new TOTP({ secret: Secret.fromBase32(secret), issuer: clean, label, digits: DIGITS }).toString();
}

/** Returns the time step of a code; undefined for a wrong code. The library compares in constant time. */
export async function stepOfCode(secret: string, code: string, nowMs: number): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const { Secret, TOTP } = await load();
  const totp = new TOTP({ secret: Secret.fromBase32(secret), digits: DIGITS, period: PERIOD_SECONDS });
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW });
  return delta === null ? undefined : Math.floor(nowMs / 1000 / PERIOD_SECONDS) + delta;
}
