import type { PageRequest, PageResponse, RealmRequest } from '#kernel/endpoint';
import { html } from '#kernel/html';
import { nextLink, show, wordsFor } from '#features/pages';
import type { UserRow } from '#features/users';
import { type Destination, enter } from '../finish.ts';
import { cookiesAfter } from './person.ts';

/**
 * Shows the recovery codes and signs the browser, or the app that opened it, in with the same answer, because both
 * factors have been shown.
 */
export async function showCodesAndEnter(
  request: RealmRequest,
  user: UserRow,
  codes: readonly string[],
  destination: Destination,
): Promise<PageResponse> {
  const entered = await enter(request, user, destination);
  const { location } = entered.headers ?? {};
  const shown = showCodes(request, codes, typeof location === 'string' ? location : '/');
  return { ...shown, headers: { ...shown.headers, 'set-cookie': cookiesAfter(request, entered) } };
}

/** Shows recovery codes; this happens only once. */
export function showCodes(request: PageRequest, codes: readonly string[], next = '/'): PageResponse {
  const grouped = codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code);
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('codes.recovery'),
    lede: t('codes.recoveryLede'),
    body: html`<ul class="codes">${grouped.map((code) => html`<li><code>${code}</code></li>`)}</ul>${nextLink(t('codes.saved'), next)}`,
  });
}
