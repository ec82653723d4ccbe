import type { PageRequest, PageResponse } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import { STYLE_PATH } from './assets.ts';
import { formToken } from './form-tokens.ts';

/** A page as its slice describes it. */
export interface Sheet {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** What went wrong with what was sent; announced first to those who listen to the page. */
  readonly fault?: string | undefined;
  readonly notice?: string | undefined;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** A page in the common frame. Never cached: it may hold tokens and addresses. */
export function show(request: PageRequest, sheet: Sheet): PageResponse {
  const { title, body, fault, notice } = sheet;
  const place = request.realm?.name ?? 'Roost';
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${place}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<main>
<header>${place}</header>
<h1>${title}</h1>
${fault === undefined ? '' : html`<p class="fault" role="alert">${fault}</p>`}
${notice === undefined ? '' : html`<p class="notice" role="status">${notice}</p>`}
${body}
</main>
</body>
</html>
`;
  return { status: sheet.status ?? 200, headers: { ...HTML, ...sheet.headers }, body: String(text) };
}

const HTML = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
};

/**
 * A form that posts to `action`, with the token that shows it is ours. `spoken` tells apart buttons of a page that look alike,
 * and begins with what they show.
 */
export function form(request: PageRequest, action: string, fields: Html, button: string, spoken?: string): Html {
  const token = formToken(request);
  return html`<form method="post" action="${action}">
<input type="hidden" name="csrfmiddlewaretoken" value="${token}">
${fields}
<button${spoken !== undefined && html` aria-label="${spoken}"`}>${button}</button>
</form>`;
}

/** A labelled field. */
export function field(
  label: string,
  name: string,
  options: { type?: string; value?: string | undefined; autocomplete: string; hint?: string; maxLength?: number },
): Html {
  const { type = 'text', value = '', autocomplete, hint, maxLength = 1000 } = options;
  return html`<label>${label}${hint === undefined ? '' : html` <small>${hint}</small>`}
<input name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" maxlength="${maxLength}" required>
</label>`;
}

/** A value that travels with a form unseen. */
export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** Sends the browser to another page. */
export function redirect(location: string, cookies: readonly string[] = []): PageResponse {
  return { status: 303, headers: { location, 'cache-control': 'no-store', 'set-cookie': cookies }, body: '' };
}
