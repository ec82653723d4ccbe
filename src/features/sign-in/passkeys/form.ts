import { formToken, hidden, icon, wordsFor } from '#features/pages';
import type { RealmRef } from '#kernel/auth';
import type { PageRequest } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import { FILES_PATH, webManifest } from '#kernel/web-files';
import type { Use } from './challenge.ts';

interface PasskeyForm {
  readonly use: Use;
  /** The address that receives the answer. */
  readonly action: string;
  readonly fields?: Html;
  readonly button: string;
  /** Whether it is the first or the last of several ways, and so where the line that separates it goes. */
  readonly isFirstOfWays?: boolean;
  readonly isLastOfWays?: boolean;
}

/**
 * A form that a passkey fills in. The pages' script shows it only if the browser has passkeys; without the script only
 * this way is missing.
 */
export function passkeyForm(request: PageRequest, { isFirstOfWays, isLastOfWays, ...form }: PasskeyForm): Html {
  const { use, action, fields, button } = form;
  const isMain = use === 'register';
  const { t } = wordsFor(request);
  const or = html`<p class="or">${t('common.or')}</p>`;
  return html`<div data-with-passkeys hidden>${isLastOfWays === true && or}<form method="post" action="${action}" data-passkey="${use}">
${hidden('csrfmiddlewaretoken', formToken(request))}${hidden('asked', '')}${hidden('passkey', '')}
${fields}
<p class="err" hidden>${icon('alert')}<span role="alert" data-refused="${t('common.passkeyRefused')}" data-known="${t('common.passkeyKnown')}"></span></p>
<button class="${isMain ? 'btn primary block' : 'btn block'}">${button}</button>
</form>${isFirstOfWays === true && or}</div>`;
}

/** The script for pages with such forms, once per page; empty if the web client is not built. */
export async function passkeyScript(): Promise<Html> {
  const script = (await webManifest())?.passkeys;
  return script === undefined ? html`` : html`<script src="${FILES_PATH}${script}" defer></script>`;
}

/** The relying party: a passkey works only at its address. */
export interface RelyingParty {
  /** Host name of the organization. */
  readonly id: string;
  readonly origin: string;
  readonly name: string;
}

/**
 * The organization as a relying party, by its address at this server; undefined at a bare IP address, for which
 * browsers make no passkeys.
 */
export function relyingParty(realm: RealmRef): RelyingParty | undefined {
  const { hostname, origin } = new URL(realm.url);
  const isNumber = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  return isNumber ? undefined : { id: hostname, origin, name: realm.name };
}
