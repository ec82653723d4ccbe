import { hasRealm, type PageResponse, type RealmRequest } from '#kernel/endpoint';
import { networkOf } from '#kernel/limits';
import { formPage, redirect } from '#features/pages';
import { readRealm, settingsOf } from '#features/realms';
import type { UserRow } from '#features/users';
import { isMethodOn, PASSKEY_METHOD } from '../methods.ts';
import { isConfirmed } from './confirmed.ts';
import { findPerson, whoIsAsked } from './person.ts';
import {
  newChallenge,
  registrationOptions,
  type RelyingParty,
  relyingParty,
  type Use,
  useOptions,
} from '../passkeys/index.ts';
import { listPasskeys } from '../factors/index.ts';

/** Gives a challenge to the pages' script, only for forms that this server made for this browser. */
export const challengePage = formPage({
  path: '/accounts/passkeys/challenge/',
  show: () => Promise.resolve(redirect('/login/')),
  submit: async (request, fields) => {
    if (!hasRealm(request)) return json(404, {});
    const { context, realm } = request;
    const party = relyingParty(realm);
    if (!party) return json(404, {});
    await context.limits.take('external-sign-in', networkOf(request.address));
    const use = fields.get('use');
    if (use === 'sign-in') return (await isOn(request)) ? toUse(request, party, use) : json(404, {});
    if (use === 'factor') {
      const asked = await whoIsAsked(request);
      return asked ? toUse(request, party, use, asked.user) : json(401, {});
    }
    const person = await findPerson(request);
    if (!person) return json(401, {});
    if (use === 'confirm') return toUse(request, party, use, person.user);
    if (use !== 'register' || !(await isConfirmed(request, person.user, fields))) return json(403, {});
    return toMake(request, party, person.user);
  },
});

/** Whether people may log in with a passkey instead of the password. */
export async function isOn({ context, realm }: RealmRequest): Promise<boolean> {
  return isMethodOn(settingsOf(await context.store.in(realm).query((tx) => readRealm(tx))), PASSKEY_METHOD);
}

async function toUse(request: RealmRequest, party: RelyingParty, use: Use, user?: UserRow): Promise<PageResponse> {
  const known = user ? await request.context.store.in(request.realm).query((tx) => listPasskeys(tx, user.id)) : [];
  if (user && known.length === 0) return json(404, {});
  const { challenge, asked } = await newChallenge(request, use, user?.id);
  return json(200, { asked, options: await useOptions(party, challenge, known) });
}

async function toMake(request: RealmRequest, party: RelyingParty, user: UserRow): Promise<PageResponse> {
  const known = await request.context.store.in(request.realm).query((tx) => listPasskeys(tx, user.id));
  const { challenge, asked } = await newChallenge(request, 'register', user.id);
  return json(200, { asked, options: await registrationOptions(request.context, party, user, { challenge, known }) });
}

function json(status: number, value: object): PageResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status, headers, body: JSON.stringify(value) };
}
