import { type Html, html } from '#kernel/html';
import { hidden, wayOn } from '#features/pages';
import type { Outgoing } from './saml/index.ts';

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
