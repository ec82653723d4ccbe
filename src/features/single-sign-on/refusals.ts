import { hidden, nextLink, show, wordsFor } from '#features/pages';
import type { PageRequest, PageResponse } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import type { Refusal } from './joining.ts';
import type { Outgoing } from './saml/index.ts';

/** Text about an attempt of another browser, or one that has expired. */
export const EXPIRED = 'This log-in was not begun in this browser, or it is too old.';

const TEXTS: Readonly<Record<Exclude<Refusal, object>, readonly [number, string]>> = {
  spent: [400, EXPIRED],
  deactivated: [401, 'Account is deactivated'],
  'organization-deactivated': [401, 'This organization has been deactivated'],
  unverified: [403, 'Your email address is not verified there. Verify it, or log in another way and connect the two.'],
  'no-address': [403, 'It names no email address for you.'],
  'not-a-person': [403, 'This account is not for people.'],
  'not-invited': [403, 'You need an invitation to join this organization.'],
  'no-sign-up': [403, 'You have no account here yet. Ask for an invitation.'],
  'connected-elsewhere': [400, 'It is connected to another account here.'],
};

/** The status and text for somebody who is not let in. */
export function refusalText(refusal: Refusal): readonly [number, string] {
  return typeof refusal === 'object' ? [403, refusal.fault] : TEXTS[refusal];
}

/** The page for somebody who could not be logged in; `fault` is a refusal, or in their language already. */
export function notLoggedIn(request: PageRequest, status: number, fault: string): PageResponse {
  const { t, language, refusal } = wordsFor(request);
  const body = nextLink(t('common.backToLogIn'), '/login/');
  return show(request, { language, title: t('provider.title'), status, fault: refusal(fault), body });
}

/**
 * Content security policy of pages with a form that goes to a provider: browsers also apply it to redirects from there.
 */
const POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action *";

/** Headers of a page that sends a message to a provider. */
export function headersFor({ by }: Outgoing): Readonly<Record<string, string>> {
  return by === 'form' ? { 'content-security-policy': POLICY } : {};
}

/** The link or the button that sends a message to a provider; with `atOnce`, the pages' script presses it. */
export function carrier(message: Outgoing, text: string, { atOnce = false } = {}): Html {
  if (message.by === 'address') return nextLink(text, message.url);
  const fields = Object.entries(message.fields).map(([name, value]) => hidden(name, value));
  return html`<form method="post" action="${message.url}"${atOnce && html` data-carries-on`}>
${fields}
<button class="btn primary block">${text}</button>
</form>`;
}
