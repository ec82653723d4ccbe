/**
 * Calls the API with the browser's session, if it is still that of `user`; returns whether the call succeeded. The page
 * at `/` says whose session it is, and has the CSRF token.
 */
export async function call(user: number, path: string, fields: Readonly<Record<string, string>>): Promise<boolean> {
  try {
    const page = await (await fetch('/', { credentials: 'same-origin', cache: 'no-store' })).text();
    const token = /<meta name="csrf-token" content="(\w+)">/.exec(page)?.[1];
    const account = /<meta name="account" content="\d+-(\d+)">/.exec(page)?.[1];
    if (token === undefined || Number(account) !== user) return false;
    const reply = await fetch(`/api/v1${path}`, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'x-csrftoken': token },
      body: new URLSearchParams(fields),
    });
    return reply.ok;
  } catch {
    // No network: the caller shows an error, or the messages stay unread.
    return false;
  }
}
