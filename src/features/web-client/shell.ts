import { csrfTokenFor } from '#kernel/auth';
import type { PageRequest, PageResponse } from '#kernel/endpoint';
import { html } from '#kernel/html';
import { iconLink, waiting, wordsFor } from '#features/pages';
import { FILES_PATH, type WebManifest } from '#kernel/web-files';

/**
 * Only files of this server may run or style the page; content of messages reaches it through a single function, which
 * has the only trusted types policy.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types rendered worker',
].join('; ');

/**
 * The single page of the web client. It contains the current user and the session's form token, which the client sends
 * with every change, so it is never cached. The style sheet comes last, because browsers show nothing of what follows one
 * until it is there.
 */
export function showShell(request: PageRequest, manifest: WebManifest, icon: string | undefined): PageResponse {
  const { actor, realm, sessionToken, context } = request;
  const token = sessionToken === undefined || !actor ? undefined : csrfTokenFor(context.server.secret, sessionToken);
  const name = realm?.name ?? 'Roost';
  const { t, rich, language } = wordsFor(request);
  const text = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${token !== undefined && html`<meta name="csrf-token" content="${token}">`}
${actor !== null && html`<meta name="account" content="${`${realm?.id ?? 0}-${actor.userId}`}">`}
<meta name="release" content="${manifest.script}">
<meta name="sheets" content="${JSON.stringify(manifest.sheets)}">
<title>${name}</title>
${iconLink(icon)}
<link rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials">
<link rel="preload" href="${FILES_PATH}${manifest.style}" as="style">
${manifest.preload.map((name) => html`<link rel="modulepreload" href="${FILES_PATH}${name}">`)}
<script type="module" src="${FILES_PATH}${manifest.script}"></script>
</head>
<body>
<noscript>
<header>${name}</header>
${actor !== null && html`<h1>${t('client.hello', { name: actor.fullName })}</h1><p>${rich('client.loggedIn', { email: html`<strong>${actor.email}</strong>` })}</p>`}
<p>${rich('client.script', { url: html`<strong>${realm?.url ?? ''}</strong>` })}</p>
<nav><a href="/accounts/sessions/">${t('sessions.title')}</a> <a href="/logout/">${t('logOut.title')}</a> <a href="/api/">API</a></nav>
</noscript>
<div id="app">${waiting(name)}</div>
<link rel="stylesheet" href="${FILES_PATH}${manifest.style}">
</body>
</html>
`;
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    },
    body: String(text),
  };
}
