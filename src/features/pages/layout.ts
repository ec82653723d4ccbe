import type { PageRequest, PageResponse } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import { icon, MARK, WIRE } from './art.ts';
import { ICON_PATH, STYLE_PATH } from './assets.ts';
import { formToken, TOKEN_FIELD } from './form-tokens.ts';
import type { Language } from './words/index.ts';

/** The contents of a page. */
export interface Sheet {
  readonly title: string;
  /** A sentence under the title. */
  readonly lede?: Html | string | undefined;
  readonly body?: Html;
  readonly status?: number;
  /** An error of the submitted form that belongs to no single field; screen readers announce it first. */
  readonly fault?: string | undefined;
  readonly notice?: string | undefined;
  /** Room for fields side by side. */
  readonly wide?: boolean;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The language of its texts, for pages that have them in several; English if absent. */
  readonly language?: Language;
  /** Address of the organization's own icon, if it has one. */
  readonly icon?: string | undefined;
}

/** Renders a page in the common frame. It is never cached, because it may contain tokens and addresses. */
export function show(request: PageRequest, sheet: Sheet): PageResponse {
  const { title, language = 'en' } = sheet;
  const text = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<title>${title} – ${placeOf(request)}</title>
${iconLink(sheet.icon)}
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body class="page">
${panel(request, sheet)}
${WIRE}
</body>
</html>
`;
  return { status: sheet.status ?? 200, headers: { ...HTML, ...sheet.headers }, body: String(text) };
}

/** The contents of a page under the name of its organization. */
export function panel(
  request: PageRequest,
  { title, lede, body, fault, notice, wide = false, icon: own }: Sheet,
): Html {
  const mark = own === undefined ? MARK : html`<img class="org-icon" src="${own}" alt="">`;
  return html`<main><div class="panel${wide && ' wide'}">
<header class="brand">${mark}<span class="grow"><b dir="auto">${placeOf(request)}</b><small>${hostOf(request)}</small></span></header>
<h1>${title}</h1>
${lede === undefined ? '' : html`<p class="lede">${lede}</p>`}
${fault === undefined ? '' : html`<p class="alert">${icon('alert')}<span role="alert">${fault}</span></p>`}
${notice === undefined ? '' : html`<p class="alert good">${icon('check')}<span role="status">${notice}</span></p>`}
${body}
</div></main>`;
}

function placeOf({ realm }: PageRequest): string {
  return realm?.name ?? 'Roost';
}

/** The icon of the page's tab: the organization's own, or Roost's. */
export function iconLink(own: string | undefined): Html {
  return own === undefined
    ? html`<link rel="icon" href="${ICON_PATH}" type="image/svg+xml">`
    : html`<link rel="icon" href="${own}">`;
}

function hostOf({ realm, context }: PageRequest): string {
  return new URL(realm ? realm.url : context.server.externalUrl).host;
}

const HTML = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  vary: 'Accept-Language',
  'referrer-policy': 'no-referrer',
};

interface Button {
  readonly text: string;
  /**
   * Accessible name that distinguishes buttons with the same text; it begins with that text. Such a button is small.
   */
  readonly spoken?: string;
  /** Another button of the page is the primary one. */
  readonly isPlain?: boolean;
}

/** A form that posts to `action`, with the token that proves it is this server's, and a button or the text of one. */
export function form(request: PageRequest, action: string, fields: Html, button: Button | string): Html {
  const { text, spoken, isPlain = false } = typeof button === 'string' ? { text: button } : button;
  const token = formToken(request);
  const look = spoken !== undefined ? 'btn small' : isPlain ? 'btn block' : 'btn primary block';
  return html`<form method="post" action="${action}">
<input type="hidden" name="${TOKEN_FIELD}" value="${token}">
${fields}
<button class="${look}"${spoken !== undefined && html` aria-label="${spoken}"`}>${text}</button>
</form>`;
}

interface FieldOptions {
  readonly type?: string;
  readonly value?: string | undefined;
  readonly autocomplete: string;
  readonly hint?: string;
  /** An error of this field; it replaces the hint. */
  readonly fault?: string | undefined;
  readonly maxLength?: number;
  /** Whether it may be empty. */
  readonly isOptional?: boolean;
  /** Shown for information only, and not submitted. */
  readonly isFixed?: boolean;
}

/** A labelled field; after an error it is marked. The first one that has to be filled in or corrected has the focus. */
export function field(label: string, name: string, options: FieldOptions): Html {
  const { type = 'text', value = '', autocomplete, hint, fault, maxLength = 1000 } = options;
  const { isFixed = false, isOptional = false } = options;
  const note = `${name}-note`;
  const describes = hint !== undefined || fault !== undefined;
  // A browser gives the focus to the first field with the attribute.
  const takesFocus = !isFixed && !isOptional && (value === '' || fault !== undefined);
  return html`<div class="field"><label for="${name}">${label}</label>
<input class="input" id="${name}" type="${type}" value="${value}"${isFixed ? html` readonly` : html` name="${name}"${!isOptional && html` required`}`} autocomplete="${autocomplete}" maxlength="${maxLength}" dir="auto"${describes && html` aria-describedby="${note}"`}${fault !== undefined && html` aria-invalid="true"`}${takesFocus && html` autofocus`}>
${describes && noteOf(note, hint, fault)}</div>`;
}

function noteOf(id: string, hint: string | undefined, fault: string | undefined): Html {
  if (fault === undefined) return html`<span class="hint" id="${id}">${hint}</span>`;
  return html`<span class="err" id="${id}">${icon('alert')}<span role="alert">${fault}</span></span>`;
}

/** Fields side by side if there is room. */
export function sideBySide(...fields: readonly Html[]): Html {
  return html`<div class="two">${fields}</div>`;
}

/** Links below the main content of a page. */
export function below(...links: readonly { readonly text: string; readonly href: string }[]): Html {
  return html`<nav class="below">${links.map(({ text, href }) => html`<a href="${href}">${text}</a>`)}</nav>`;
}

/** The link to the next step, for a page without a form. */
export function nextLink(text: string, href: string): Html {
  return html`<p><a class="btn primary" href="${href}">${text}</a></p>`;
}

/** A hidden field of a form. */
export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** Sends the browser to another page. */
export function redirect(location: string, cookies: readonly string[] = []): PageResponse {
  return { status: 303, headers: { location, 'cache-control': 'no-store', 'set-cookie': cookies }, body: '' };
}
