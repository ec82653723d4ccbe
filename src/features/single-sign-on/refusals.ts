import { hidden, wayOn } from '#features/pages';
import { type Html, html } from '#kernel/html';
import type { Refusal } from './joining.ts';
import type { Outgoing } from './saml/index.ts';

/** What people are told of an attempt that is not theirs, or over. */
export const EXPIRED = 'This log-in was not begun in this browser, or it is too old.';

const TEXTS: Readonly<Record<Exclude<Refusal, object>, readonly [number, string]>> = {
  spent: [400, EXPIRED],
  deactivated: [401, 'Account is deactivated'],
  unverified: [403, 'Your email address is not verified there. Verify it, or log in another way and connect the two.'],
  'no-address': [403, 'It names no email address for you.'],
  'not-a-person': [403, 'This account is not for people.'],
  'not-invited': [403, 'You need an invitation to join this organization.'],
  'no-sign-up': [403, 'You have no account here yet. Ask for an invitation.'],
  'connected-elsewhere': [400, 'It is connected to another account here.'],
};

/** The status and the words for whom nobody lets in. */
export function refusalText(refusal: Refusal): readonly [number, string] {
  return typeof refusal === 'object' ? [403, refusal.fault] : TEXTS[refusal];
}

/** Policy of pages whose form goes to a provider: browsers apply it to wherever that leads it from there, too. */
const POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action *";

/** Headers of a page by which a message goes to a provider. */
export function headersFor({ by }: Outgoing): Readonly<Record<string, string>> {
  return by === 'form' ? { 'content-security-policy': POLICY } : {};
}

/** The link or the button by which a message goes to a provider; `atOnce`: the script of these pages presses it. */
export function carrier(message: Outgoing, text: string, { atOnce = false } = {}): Html {
  if (message.by === 'address') return wayOn(text, message.url);
  const fields = Object.entries(message.fields).map(([name, value]) => hidden(name, value));
  return html`<form method="post" action="${message.url}"${atOnce && html` data-carries-on`}>
${fields}
<button class="btn primary block">${text}</button>
</form>`;
}
