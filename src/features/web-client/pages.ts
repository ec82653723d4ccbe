import { page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { FILES_PATH, readWebFile, webManifest } from '#kernel/web-files';
import { listChannels } from '#features/channels';
import { nextLink, noOrganization, ownIcon, redirect, show, wordsFor } from '#features/pages';
import { listRealms, readRealm, settingsOf } from '#features/realms';
import { showShell } from './shell.ts';

/**
 * The web client for people who are logged in, and for everybody if there are web-public channels; otherwise the log-in
 * page.
 */
const startPage = page({
  methods: ['GET'],
  path: '/',
  handle: async (request) => {
    if (!request.realm && (await hasOrganizations(request))) return noOrganization(request);
    if (!request.realm) return showWelcome(request);
    if (!request.actor && !(await isOpenToTheWeb(request))) return redirect('/login/');
    const manifest = await webManifest();
    return manifest ? showShell(request, manifest, await ownIcon(request)) : notBuilt(request);
  },
});

/** The start page of a server that waits for its first organization. */
function showWelcome(request: PageRequest): PageResponse {
  const { t, language } = wordsFor(request);
  return show(request, { language, title: t('found.welcome'), lede: t('found.none') });
}

/** Whether the server has any organization: if so, the address is wrong; if not, it waits for its first one. */
async function hasOrganizations({ context }: PageRequest): Promise<boolean> {
  return (await context.store.query((tx) => listRealms(tx))).length > 0;
}

/** Whether visitors who are not logged in may read anything here. */
async function isOpenToTheWeb({ context, realm }: PageRequest): Promise<boolean> {
  if (!realm || !context.server.webPublicChannels) return false;
  const { row, channels } = await context.store.in(realm).query(async (tx) => ({
    row: await readRealm(tx),
    channels: await listChannels(tx),
  }));
  const isOpen = channels.some((channel) => channel.is_web_public && !channel.is_archived);
  return isOpen && settingsOf(row).enable_spectator_access;
}

function notBuilt(request: PageRequest): PageResponse {
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('client.notBuilt'),
    status: 503,
    lede: t('client.build'),
    body: nextLink(t('logOut.title'), '/logout/'),
  });
}

const filePage = page({
  methods: ['GET', 'HEAD'],
  path: `${FILES_PATH}{name}`,
  handle: async ({ path, headers }) => {
    const found = await readWebFile(path['name'] ?? '', String(headers['accept-encoding'] ?? ''));
    if (!found) return { status: 404, headers: { 'cache-control': 'no-store' }, body: 'Not found\n' };
    return {
      headers: {
        'content-type': found.type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
        ...(found.encoding && { 'content-encoding': found.encoding }),
      },
      body: found.bytes,
    };
  },
});

/**
 * The service worker. Its address is the same for every release, and at the root, so that it may serve all pages; every
 * check for updates fetches it again. It may connect only to this server.
 */
const workerPage = page({
  methods: ['GET', 'HEAD'],
  path: '/sw.js',
  handle: async ({ headers }) => {
    const manifest = await webManifest();
    const found = manifest && (await readWebFile(manifest.worker, String(headers['accept-encoding'] ?? '')));
    if (!found) return { status: 404, headers: { 'cache-control': 'no-store' }, body: 'Not found\n' };
    return {
      headers: {
        'content-type': found.type,
        'cache-control': 'no-cache',
        'content-security-policy': "default-src 'none'; connect-src 'self'",
        vary: 'Accept-Encoding',
        ...(found.encoding && { 'content-encoding': found.encoding }),
      },
      body: found.bytes,
    };
  },
});

export const webClientPages = [startPage, filePage, workerPage];
