/** Parses cookies by name. The object has no prototype, because clients choose the names. */
export function parseCookies(header: string | undefined): Readonly<Record<string, string | undefined>> {
  const cookies = Object.create(null) as Record<string, string | undefined>;
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0) cookies[pair.slice(0, equals).trim()] = pair.slice(equals + 1).trim();
  }
  return cookies;
}

/** Name of the session cookie; browsers restrict one with the prefix to the host and to encrypted connections. */
export function sessionCookieName(externalUrl: string): string {
  return externalUrl.startsWith('https:') ? '__Host-roost-session' : 'roost-session';
}

/** Returns a Set-Cookie header for the session; an empty token deletes it. */
export function sessionCookie(externalUrl: string, token: string, seconds: number): string {
  const secure = externalUrl.startsWith('https:') ? '; Secure' : '';
  return `${sessionCookieName(externalUrl)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${token === '' ? 0 : seconds}${secure}`;
}
