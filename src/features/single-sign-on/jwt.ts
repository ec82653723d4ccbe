import { credentialsOf, enterOrAsk, JWT_METHOD, isMethodOn, recordRefused, safeNext, spend } from '#features/sign-in';
import { noOrganization, show, wayOn } from '#features/pages';
import { readRealm, settingsOf } from '#features/realms';
import { findUserByEmail, toWireUser, type UserRow } from '#features/users';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { anyone, endpoint, hasRealm, json, optional, page, raw } from '#kernel/endpoint';
import { ApiError, apiError, RealmDeactivated, UnknownHost, UserDeactivated } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import { networkOf } from '#kernel/limits';
import { bool, firstFault, idOf, int, json as anyJson, lenientObject, maybe, str, text } from '#kernel/schema';

const NoToken = apiError({ message: 'No JSON web token passed in request' });
const BadToken = apiError({ message: 'Bad JSON web token' });
const NotEnabled = apiError({ message: 'JWT authentication is not enabled for this organization' });
const NobodysToken = apiError({
  code: 'AUTHENTICATION_FAILED',
  status: 401,
  message: 'Your username or password is incorrect',
});

/** Seconds by which clocks may differ, and for which a token may be good at most: one that is stolen is soon worth nothing. */
const LEEWAY_SECONDS = 30;
const MAX_SECONDS = 600;

const claims = lenientObject({ email: text({ min: 3, max: 320 }), exp: int() });

/**
 * The account that a signed token names; the token is used up by that. Checks in the order of
 * protocol/authentication#signed-tokens.
 */
async function accountOfToken(
  context: Context,
  realm: RealmRef | undefined,
  token: string | undefined,
  address: string,
): Promise<UserRow> {
  if (!realm) throw UnknownHost();
  await context.limits.take('external-sign-in', networkOf(address));
  const keys = context.identity.jwt[realm.subdomain];
  const settings = settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
  if (!keys || !isMethodOn(settings, JWT_METHOD)) throw NotEnabled();
  if (token === undefined || token === '') throw NoToken();
  try {
    return await ownerOf(context, realm, token, await verified(context, token, keys));
  } catch (error) {
    const why = error instanceof ApiError ? WHY.get(error.row) : undefined;
    if (why !== undefined) await recordRefused(context, realm, undefined, 'signed token', { why });
    throw error;
  }
}

/** Why a token let nobody in, as the audit log says it. */
const WHY = new Map([
  [BadToken.row, 'untrue'],
  [NobodysToken.row, 'unknown name'],
  [UserDeactivated.row, 'deactivated'],
]);

function ownerOf(
  context: Context,
  realm: RealmRef,
  token: string,
  { email, exp }: { readonly email: string; readonly exp: number },
): Promise<UserRow> {
  if (realm.isDeactivated) throw RealmDeactivated();
  return context.store.in(realm).write(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user || user.is_bot) throw NobodysToken();
    if (!user.is_active) throw UserDeactivated();
    if (!(await spend(tx, token, exp - tx.now + LEEWAY_SECONDS))) throw BadToken();
    return user;
  });
}

/** What a token says, when the organization's key signed it and it is good now. The algorithm is ours to choose. */
async function verified(
  { clock }: Pick<Context, 'clock'>,
  token: string,
  { algorithm, key }: NonNullable<Context['identity']['jwt'][string]>,
): Promise<{ email: string; exp: number }> {
  const { importSPKI, jwtVerify } = await import('jose');
  const isShared = algorithm.startsWith('HS');
  const secret = isShared ? new TextEncoder().encode(key) : await importSPKI(key, algorithm);
  const options = {
    algorithms: [algorithm],
    clockTolerance: LEEWAY_SECONDS,
    currentDate: new Date(clock.nowMs()),
    requiredClaims: ['exp', 'email'],
  };
  const payload = await jwtVerify(token, secret, options).then(
    (result) => result.payload,
    () => undefined,
  );
  const read = firstFault(claims, 'claims', payload);
  if ('fault' in read || read.value.exp > clock.now() + MAX_SECONDS) throw BadToken();
  return read.value;
}

const jwtFetchApiKey = endpoint({
  id: 'jwt-fetch-api-key',
  method: 'POST',
  path: '/jwt/fetch_api_key',
  source: 'protocol/authentication#signed-tokens',
  doc: 'The API key of an account that a token names, which a server of the organization has signed.',
  who: anyone,
  params: {
    token: optional(raw(text({ max: 10_000 }), 'Signed with the key of the organization; works once.')),
    include_profile: optional(json(bool(), 'Whether the account comes with its key.')),
  },
  returns: { api_key: str(), email: str(), user_id: idOf<UserId>(), user: maybe(anyJson()) },
  fails: [NoToken, BadToken, NotEnabled, NobodysToken, UnknownHost],
  async run({ context, realm, params, request }) {
    const user = await accountOfToken(context, realm, params.token, request.address);
    if (!params.include_profile || !realm) return credentialsOf(context, user);
    const viewer = { role: user.role, userId: user.id, clientGravatar: false };
    return { ...credentialsOf(context, user), user: toWireUser(user, context.realmHost(realm), viewer) };
  },
});

/**
 * Where a page of the organization sends somebody with a token. The form is another site's by nature; the token stands in for
 * the form's own, and works once.
 */
const jwtPage = page({
  methods: ['POST'],
  path: '/accounts/login/jwt',
  handle: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const { context, realm, address } = request;
    const fields = await request.form();
    try {
      const user = await accountOfToken(context, realm, fields.get('token'), address);
      return await enterOrAsk(request, user, { next: safeNext(fields.get('next')), pad: undefined });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const body = wayOn('Back to log-in', '/login/');
      return show(request, { title: 'Not logged in', status: error.row.status, fault: error.message, body });
    }
  },
});

export const jwtEndpoints = [jwtFetchApiKey];
export const jwtPages = [jwtPage];
