/** Seconds that a code is shown, and its digits: what every authenticator app knows (RFC 6238). */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** Codes before and after the present one that count too: clocks of phones differ. */
const WINDOW = 1;

/** Loaded with the first code. */
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

/** The step that a code is for; undefined for a wrong one. Compared in constant time by the library. */
export async function stepOfCode(secret: string, code: string, nowMs: number): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const { Secret, TOTP } = await load();
  const totp = new TOTP({ secret: Secret.fromBase32(secret), digits: DIGITS, period: PERIOD_SECONDS });
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW });
  return delta === null ? undefined : Math.floor(nowMs / 1000 / PERIOD_SECONDS) + delta;
}
