import type { PageResponse, RealmRequest } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import { field, form, wordsFor } from '#features/pages';
import type { UserRow } from '#features/users';
import { confirmFirst } from '../confirmation/index.ts';
import { beginGuess } from '../guessing.ts';
import { answeredBy, passkeyForm, passkeyScript } from '../passkeys/index.ts';
import { checkCode, hasSecondFactor, listPasskeys } from '../factors/index.ts';
import { verifyPassword } from '../passwords.ts';
import { findPasswordHash } from '../queries.ts';
import type { Person } from './person.ts';

/**
 * How somebody confirms who they are before they change the ways into the account: with a second factor if there is
 * one, else with the password.
 */
type Proof = 'factor' | 'password' | 'none';

export function proofOf({ context, realm }: RealmRequest, user: UserRow): Promise<Proof> {
  return context.store.in(realm).query(async (tx) => {
    if (await hasSecondFactor(tx, user.id)) return 'factor';
    return (await findPasswordHash(tx, user.id)) === undefined ? 'none' : 'password';
  });
}

/**
 * Redirects somebody who has neither a second factor nor a password here to confirm the session first, as at their
 * provider; undefined if it was confirmed, or if they have something to show.
 */
export async function confirmedFirst(
  request: RealmRequest,
  { user, destination }: Person,
  path: string,
): Promise<PageResponse | undefined> {
  // Who is just logging in has shown the first factor now.
  const isAsked = destination !== undefined || (await proofOf(request, user)) !== 'none';
  return isAsked ? undefined : confirmFirst(request, path);
}

/** Forms in which somebody confirms who they are; `fields` carry what they want to do then. */
export async function proofForms(
  request: RealmRequest,
  user: UserRow,
  { action, fields, button, fault }: { action: string; fields: Html; button: string; fault: string | undefined },
): Promise<Html> {
  const { t, refusal } = wordsFor(request);
  if ((await proofOf(request, user)) !== 'factor') {
    const password = { type: 'password', autocomplete: 'current-password', fault: refusal(fault) } as const;
    return form(request, action, html`${fields}${field(t('account.yourPassword'), 'password', password)}`, button);
  }
  const hasPasskeys =
    (await request.context.store.in(request.realm).query((tx) => listPasskeys(tx, user.id))).length > 0;
  const way = { use: 'confirm', action, fields, button: t('common.usePasskey'), isFirstOfWays: true } as const;
  const shown = { hint: t('account.codeHint'), fault: refusal(fault), maxLength: 40 };
  const code = field(t('common.code'), 'code', { autocomplete: 'one-time-code', ...shown });
  return html`${hasPasskeys && passkeyForm(request, way)}${form(request, action, html`${fields}${code}`, button)}${hasPasskeys && (await passkeyScript())}`;
}

/**
 * Checks that a form proves that its sender is the owner of the session: returns undefined if so, otherwise what is
 * wrong.
 */
export async function faultOfProof(
  request: RealmRequest,
  user: UserRow,
  fields: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const proof = await proofOf(request, user);
  if (proof === 'none') return undefined;
  if (proof === 'password') {
    const isRight = await knowsPassword(request, user, fields.get('password') ?? '');
    return isRight ? undefined : 'Your password is wrong.';
  }
  if (fields.has('passkey')) {
    const answered = await answeredBy(request, 'confirm', user, fields);
    return 'fault' in answered ? answered.fault : undefined;
  }
  const isRight = await checkCode(request, user, fields.get('code') ?? '');
  return isRight ? undefined : 'This code is wrong, or it was used before.';
}

/**
 * Checks the password, so that somebody who only has the owner's open browser cannot lock the owner out. Always true
 * for people without a password.
 */
export async function knowsPassword(request: RealmRequest, user: UserRow, password: string): Promise<boolean> {
  const { context, realm } = request;
  const hash = await context.store.in(realm).query((tx) => findPasswordHash(tx, user.id));
  if (hash === undefined) return true;
  const guess = await beginGuess(request, user.email);
  if (!(await verifyPassword(hash, password))) return false;
  await guess.right();
  return true;
}
