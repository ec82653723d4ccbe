/** What the page says of itself, in its head. */
export function pageFact(name: 'csrf-token' | 'account' | 'release' | 'sheets'): string | undefined {
  return factIn(document, name);
}

function factIn(page: Document, name: string): string | undefined {
  const found = page.querySelector(`meta[name="${name}"]`);
  return found instanceof HTMLMetaElement ? found.content : undefined;
}

let freshToken: string | undefined;

/** The token of the session's forms; a refused one is fetched anew with the page that it stands in. */
export async function csrfToken(refreshed: boolean): Promise<string> {
  if (refreshed) {
    const text = await (await fetch('/', { credentials: 'same-origin', cache: 'no-store' })).text();
    freshToken = /<meta name="csrf-token" content="(\w+)">/.exec(text)?.[1];
  }
  return freshToken ?? pageFact('csrf-token') ?? '';
}
