/** Returns a value that the server wrote into the page's head. */
export function pageFact(name: 'csrf-token' | 'account' | 'release' | 'sheets'): string | undefined {
  return factIn(document, name);
}

function factIn(page: Document, name: string): string | undefined {
  const found = page.querySelector(`meta[name="${name}"]`);
  return found instanceof HTMLMetaElement ? found.content : undefined;
}

let freshToken: string | undefined;

/** Returns the session's CSRF token; with `refreshed`, reads it from a newly loaded page. */
export async function csrfToken(refreshed: boolean): Promise<string> {
  if (refreshed) {
    const text = await (await fetch('/', { credentials: 'same-origin', cache: 'no-store' })).text();
    freshToken = /<meta name="csrf-token" content="(\w+)">/.exec(text)?.[1];
  }
  return freshToken ?? pageFact('csrf-token') ?? '';
}
