import { isGerman } from './words.ts';

/** Name of the cache for the client's page and files, used while the server is away. */
const CACHE = 'shell';
const PAGE = '/';
/** Milliseconds without a reply after which the stored page is shown. */
const PATIENCE_MS = 5000;

/** Pages that are opened when nobody is logged in; opening one deletes the stored page. */
const LEAVING: ReadonlySet<string> = new Set(['/login/', '/logout/']);

/**
 * Returns the page to store: without the CSRF token, which is fetched again when needed; undefined for a page without
 * an account.
 */
export function pageToKeep(text: string): string | undefined {
  return /<meta name="account" content="\d+-\d+">/.test(text)
    ? text.replace(/<meta name="csrf-token" content="\w*">/, '')
    : undefined;
}

/** Returns the addresses of the client's files in a page or a script. The names contain hashes of the content. */
export function filesIn(text: string): readonly string[] {
  const sheets = [...text.matchAll(/[\w-]+-[A-Z0-9]{8}\.css/g)].map(([name]) => `/web/${name}`);
  return [
    ...new Set([...sheets, ...[...text.matchAll(/\/web\/[\w-]+-[A-Z0-9]{8}\.(?:js|css)/g)].map(([path]) => path)]),
  ];
}

/**
 * Whether API requests can bypass the worker. If not, the worker handles no requests at all: a request that the page
 * sends while it closes (a delayed deletion) would otherwise be lost.
 */
export function canPassBy(): boolean {
  return typeof InstallEvent !== 'undefined' && 'addRoutes' in InstallEvent.prototype;
}

/** Lets API requests bypass the worker. */
export function passBy(event: InstallEvent): void {
  void event.addRoutes?.([{ condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' }]);
}

/** Answers requests for the page and its files; all others go to the network. */
export function onFetch(event: FetchEvent): void {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (LEAVING.has(url.pathname)) event.waitUntil(caches.delete(CACHE));
    if (url.pathname === PAGE && request.method === 'GET') event.respondWith(openPage(event));
  } else if (url.pathname.startsWith('/web/')) event.respondWith(openFile(request));
}

/** Answers with the server's page, or with the stored one while the server is away. */
async function openPage(event: FetchEvent): Promise<Response> {
  const asked = fetch(event.request).catch(() => undefined);
  const fresh = await Promise.race([asked, later()]);
  if (!fresh || fresh.status >= 500) return (await cachedPage()) ?? (await asked) ?? Response.error();
  event.waitUntil(keep(fresh.clone()));
  return fresh;
}

/** Resolves after `PATIENCE_MS`. */
function later(): Promise<undefined> {
  const end = AbortSignal.timeout(PATIENCE_MS);
  return new Promise((resolve) => end.addEventListener('abort', () => resolve(undefined)));
}

async function cachedPage(): Promise<Response | undefined> {
  return (await caches.open(CACHE)).match(PAGE);
}

async function openFile(request: Request): Promise<Response> {
  return (await (await caches.open(CACHE)).match(request.url)) ?? fetch(request);
}

/** Stores the server's current page with all of its files. */
export async function keepPage(): Promise<void> {
  const fresh = await fetch(PAGE, { credentials: 'same-origin', cache: 'no-store' }).catch(() => undefined);
  if (fresh) await keep(fresh);
}

async function keep(fresh: Response): Promise<void> {
  const text = fresh.ok && !fresh.redirected ? pageToKeep(await fresh.text()) : undefined;
  if (text === undefined) return void (await caches.delete(CACHE));
  const cache = await caches.open(CACHE);
  const files = await keepFiles(cache, text);
  await cache.put(PAGE, new Response(text, { headers: fresh.headers }));
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (pathname !== PAGE && !files.has(pathname)) await cache.delete(url);
  }
}

/** Fetches the files of a page, and recursively those that they name; returns all their addresses. */
async function keepFiles(cache: Cache, text: string): Promise<ReadonlySet<string>> {
  const found = new Set(needed(text));
  for (const path of found) {
    if (!(await cache.match(path))) await cache.add(path);
    const file = path.endsWith('.js') ? await cache.match(path) : undefined;
    for (const next of file ? needed(await file.text()) : []) found.add(next);
  }
  return found;
}

/** Texts of a language are for its readers only. */
function needed(text: string): readonly string[] {
  return filesIn(text).filter((path) => isGerman || !path.startsWith('/web/german'));
}
