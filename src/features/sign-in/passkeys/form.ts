import { formToken, hidden, icon } from '#features/pages';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { PageRequest } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import { FILES_PATH, webManifest } from '#kernel/web-files';
import type { Use } from './challenge.ts';

interface PasskeyForm {
  readonly use: Use;
  /** Where the answer goes. */
  readonly action: string;
  readonly fields?: Html;
  readonly button: string;
  /** Whether it is one of several ways on, and how it is told from the next. */
  readonly isFirstOfWays?: boolean;
  readonly isLastOfWays?: boolean;
}

/**
 * A form that a passkey fills in. It shows only where the script of these pages finds that the browser has passkeys: without
 * it nothing is missing, but that way.
 */
export function passkeyForm(request: PageRequest, { isFirstOfWays, isLastOfWays, ...form }: PasskeyForm): Html {
  const { use, action, fields, button } = form;
  const isMain = use === 'register';
  return html`<div data-with-passkeys hidden>${isLastOfWays === true && html`<p class="or">or</p>`}<form method="post" action="${action}" data-passkey="${use}">
${hidden('csrfmiddlewaretoken', formToken(request))}${hidden('asked', '')}${hidden('passkey', '')}
${fields}
<p class="err" hidden>${icon('alert')}<span role="alert" data-refused="That did not work. Try again, or take another way." data-known="This device has a passkey of yours already."></span></p>
<button class="${isMain ? 'btn primary block' : 'btn block'}">${button}</button>
</form>${isFirstOfWays === true && html`<p class="or">or</p>`}</div>`;
}

/** What pages with such forms need, once; nothing while the web client is not built. */
export async function passkeyScript(): Promise<Html> {
  const script = (await webManifest())?.passkeys;
  return script === undefined ? html`` : html`<script src="${FILES_PATH}${script}" defer></script>`;
}

/** Who asks for passkeys: a passkey works at this address and nowhere else. */
export interface RelyingParty {
  /** Host name of the organization. */
  readonly id: string;
  readonly origin: string;
  readonly name: string;
}

/** The organization as passkeys know it, from the server's own address; undefined where browsers make none: at a bare IP address. */
export function relyingParty(context: Pick<Context, 'realmUrl'>, realm: RealmRef): RelyingParty | undefined {
  const { hostname, origin } = new URL(context.realmUrl(realm));
  const isNumber = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  return isNumber ? undefined : { id: hostname, origin, name: realm.name };
}
