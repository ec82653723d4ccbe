import { csrfTokenFor } from '#kernel/auth';
import type { PageRequest, PageResponse } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import { below, iconLink, panel, STYLE_PATH, waiting, wordsFor } from '#features/pages';
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
  const { language } = wordsFor(request);
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
<noscript><link rel="stylesheet" href="${STYLE_PATH}"></noscript>
</head>
<body>
<noscript><div class="page">${withoutScripts(request, icon)}</div></noscript>
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

/** What the page says where no scripts run. */
function withoutScripts(request: PageRequest, icon: string | undefined): Html {
  const { actor, realm } = request;
  const { t, rich } = wordsFor(request);
  const own = [
    { text: t('sessions.title'), href: '/accounts/sessions/' },
    { text: t('logOut.title'), href: '/logout/' },
  ];
  return panel(request, {
    title: actor ? t('client.hello', { name: actor.fullName }) : (realm?.name ?? 'Roost'),
    lede: actor ? rich('client.loggedIn', { email: html`<strong>${actor.email}</strong>` }) : undefined,
    body: html`<p>${rich('client.script', { url: html`<strong>${realm?.url ?? ''}</strong>` })}</p>
${below(...(actor ? own : [{ text: t('common.logIn'), href: '/login/' }]), { text: 'API', href: '/api/' })}`,
    icon,
  });
}
