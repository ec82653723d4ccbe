/** Where the page of the client and its files are kept for when the server is away. */
const KEPT = 'shell';
const PAGE = '/';
/** Milliseconds that a server which says nothing is waited for where there is a page that is kept. */
const PATIENCE_MS = 5000;

/** Pages after which nobody is logged in here: what was kept goes. */
const LEAVING: ReadonlySet<string> = new Set(['/login/', '/logout/']);

/** The page as it is kept: without the token of the session, which is fetched anew when it is needed. */
export function pageToKeep(text: string): string | undefined {
  return /<meta name="account" content="\d+-\d+">/.test(text)
    ? text.replace(/<meta name="csrf-token" content="\w*">/, '')
    : undefined;
}

/** Addresses of the client's files that a page or a script names; their names change with what they hold. */
export function filesIn(text: string): readonly string[] {
  const sheets = [...text.matchAll(/[\w-]+-[A-Z0-9]{8}\.css/g)].map(([name]) => `/web/${name}`);
  return [
    ...new Set([...sheets, ...[...text.matchAll(/\/web\/[\w-]+-[A-Z0-9]{8}\.(?:js|css)/g)].map(([path]) => path)]),
  ];
}

/**
 * Whether requests to the API can go past the worker. Where they can not, none may come to it: what a page sends as it is left (a
 * deletion that waits) would be lost with the page on its way through here.
 */
export function canPassBy(): boolean {
  return typeof InstallEvent !== 'undefined' && 'addRoutes' in InstallEvent.prototype;
}

/** Lets requests to the API go past the worker. */
export function passBy(event: InstallEvent): void {
  void event.addRoutes?.([{ condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' }]);
}

/** Answers what the client can be opened with; anything else goes its way. */
export function onFetch(event: FetchEvent): void {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (LEAVING.has(url.pathname)) event.waitUntil(caches.delete(KEPT));
    if (url.pathname === PAGE && request.method === 'GET') event.respondWith(openPage(event));
  } else if (url.pathname.startsWith('/web/')) event.respondWith(openFile(request));
}

/** The page of the server, or, where that is away, the one that is kept. */
async function openPage(event: FetchEvent): Promise<Response> {
  const asked = fetch(event.request).catch(() => undefined);
  const fresh = await Promise.race([asked, later()]);
  if (!fresh || fresh.status >= 500) return (await keptPage()) ?? (await asked) ?? Response.error();
  event.waitUntil(keep(fresh.clone()));
  return fresh;
}

/** Resolves when the server has had its time. */
function later(): Promise<undefined> {
  const end = AbortSignal.timeout(PATIENCE_MS);
  return new Promise((resolve) => end.addEventListener('abort', () => resolve(undefined)));
}

async function keptPage(): Promise<Response | undefined> {
  return (await caches.open(KEPT)).match(PAGE);
}

async function openFile(request: Request): Promise<Response> {
  return (await (await caches.open(KEPT)).match(request.url)) ?? fetch(request);
}

/** Keeps the page that the server shows now, with all of its files. */
export async function keepPage(): Promise<void> {
  const fresh = await fetch(PAGE, { credentials: 'same-origin', cache: 'no-store' }).catch(() => undefined);
  if (fresh) await keep(fresh);
}

async function keep(fresh: Response): Promise<void> {
  const text = fresh.ok && !fresh.redirected ? pageToKeep(await fresh.text()) : undefined;
  if (text === undefined) return void (await caches.delete(KEPT));
  const cache = await caches.open(KEPT);
  const files = await keepFiles(cache, text);
  await cache.put(PAGE, new Response(text, { headers: fresh.headers }));
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (pathname !== PAGE && !files.has(pathname)) await cache.delete(url);
  }
}

/** Fetches what a page needs and what that leads to; which all there is. */
async function keepFiles(cache: Cache, text: string): Promise<ReadonlySet<string>> {
  const found = new Set(filesIn(text));
  for (const path of found) {
    if (!(await cache.match(path))) await cache.add(path);
    const file = path.endsWith('.js') ? await cache.match(path) : undefined;
    for (const next of file ? filesIn(await file.text()) : []) found.add(next);
  }
  return found;
}
