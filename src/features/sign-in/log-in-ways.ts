import type { RealmRequest } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import { wordsFor } from '#features/pages';
import type { RealmSettings } from '#features/realms';
import {
  externalMethods,
  hasPasswords,
  inOrder,
  isMethodOn,
  PASSKEY_METHOD,
  PASSKEY_WAY,
  PASSWORD_WAY,
} from './methods.ts';
import { passkeyForm, passkeyScript, relyingParty } from './passkeys/index.ts';

interface Shown {
  /** The form for name and password. It is shown if people log in with a password, or if there is no other way. */
  readonly password: Html;
  /** The destination after signing in, as a query of the buttons' addresses and as fields of the forms. */
  readonly query: string;
  readonly fields: Html;
}

/**
 * The ways to log in, in the organization's order: buttons side by side, and a line before and after the password form.
 */
export async function logInWays(
  request: RealmRequest,
  settings: RealmSettings,
  { query, fields, ...forms }: Shown,
): Promise<Html> {
  const { context, realm } = request;
  const { t } = wordsFor(request);
  const or = html`<p class="or">${t('common.or')}</p>`;
  const hasPasskeys = isMethodOn(settings, PASSKEY_METHOD) && relyingParty(realm) !== undefined;
  const external = externalMethods(context, realm, settings).filter(({ name }) => name !== 'browser');
  const isShown = hasPasswords(context, realm, settings) || !(hasPasskeys || external.length > 0);
  const password = isShown ? forms.password : undefined;
  const all = [
    ...(hasPasskeys ? [PASSKEY_WAY] : []),
    ...external.map(({ name }) => name),
    ...(password ? [PASSWORD_WAY] : []),
  ];
  const names = inOrder(settings, all, (name) => name);
  const at = names.indexOf(PASSWORD_WAY);
  const [before, after] = password ? [names.slice(0, at), names.slice(at + 1)] : [names, []];
  // If the browser has no passkeys, the line is hidden with them.
  const passkey = passkeyForm(request, {
    use: 'sign-in',
    action: '/accounts/passkeys/sign-in/',
    fields,
    button: t('logIn.passkey'),
    isFirstOfWays: password !== undefined && isPasskeyAlone(before),
    isLastOfWays: isPasskeyAlone(after),
  });
  const button = (way: string) => {
    const found = external.find(({ name }) => name === way);
    const href = found && `${new URL(found.login_url).pathname}${query === '' ? '' : `?${query}`}`;
    return found && html`<a class="btn block" href="${href}">${t('logIn.with', { name: found.display_name })}</a>`;
  };
  const shown = (ways: readonly string[]) =>
    grouped(ways).map((group) =>
      group.includes(PASSKEY_WAY) ? passkey : html`<p class="ways">${group.flatMap((way) => button(way) ?? [])}</p>`,
    );
  const isApart = (ways: readonly string[]) => password !== undefined && ways.length > 0 && !isPasskeyAlone(ways);
  return html`${shown(before)}${isApart(before) && or}${password}${isApart(after) && or}${shown(after)}${hasPasskeys && (await passkeyScript())}`;
}

function isPasskeyAlone(ways: readonly string[]): boolean {
  return ways.length === 1 && ways[0] === PASSKEY_WAY;
}

/** Groups neighbouring buttons; the form for passkeys is a group by itself. */
function grouped(ways: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const way of ways) {
    const last = groups.at(-1);
    if (last && way !== PASSKEY_WAY && !last.includes(PASSKEY_WAY)) last.push(way);
    else groups.push([way]);
  }
  return groups;
}
