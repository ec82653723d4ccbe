import {
  credentialsOf,
  enterOrAsk,
  JWT_METHOD,
  isMethodOn,
  type LogInRequest,
  recordRefused,
  safeNext,
  spend,
} from '#features/sign-in';
import { noOrganization } from '#features/pages';
import { readRealm, settingsOf } from '#features/realms';
import { findUserByEmail, toWireUser, type UserRow } from '#features/users';
import type { Context } from '#kernel/context';
import { anyone, endpoint, hasRealm, json, optional, page, raw } from '#kernel/endpoint';
import { ApiError, apiError, RealmDeactivated, UnknownHost, UserDeactivated } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import { networkOf } from '#kernel/limits';
import { bool, firstFault, idOf, int, json as anyJson, lenientObject, maybe, str, text } from '#kernel/schema';
import { notLoggedIn } from './refusals.ts';

const NoToken = apiError({ message: 'No JSON web token passed in request' });
const BadToken = apiError({ message: 'Bad JSON web token' });
const NotEnabled = apiError({ message: 'JWT authentication is not enabled for this organization' });
const NobodysToken = apiError({
  code: 'AUTHENTICATION_FAILED',
  status: 401,
  message: 'Your username or password is incorrect',
});

/** Seconds by which clocks may differ, and longest validity of a token: a stolen one soon becomes worthless. */
const LEEWAY_SECONDS = 30;
const MAX_SECONDS = 600;

const claims = lenientObject({ email: text({ min: 3, max: 320 }), exp: int() });

/**
 * Finds the account that a signed token names, and uses the token up. Checks in the order of
 * protocol/authentication#signed-tokens.
 */
async function accountOfToken(request: LogInRequest, token: string | undefined): Promise<UserRow> {
  const { context, realm, address } = request;
  await context.limits.take('external-sign-in', networkOf(address));
  const keys = context.identity.jwt[realm.subdomain];
  const settings = settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
  if (!keys || !isMethodOn(settings, JWT_METHOD)) throw NotEnabled();
  if (token === undefined || token === '') throw NoToken();
  try {
    return await ownerOf(request, token, await verified(context, token, keys));
  } catch (error) {
    const why = error instanceof ApiError ? WHY.get(error.row) : undefined;
    if (why !== undefined) await recordRefused(request, 'signed token', { why });
    throw error;
  }
}

/** Reasons for the audit log why a token let nobody in. */
const WHY = new Map([
  [BadToken.row, 'invalid'],
  [NobodysToken.row, 'unknown name'],
  [UserDeactivated.row, 'deactivated'],
]);

function ownerOf(
  { context, realm }: LogInRequest,
  token: string,
  { email, exp }: { readonly email: string; readonly exp: number },
): Promise<UserRow> {
  if (realm.isDeactivated) throw RealmDeactivated();
  return context.store.in(realm).write(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user || user.is_bot) throw NobodysToken();
    if (!user.is_active) throw UserDeactivated();
    if (!(await spend(tx, signedPartOf(token), exp - tx.now + LEEWAY_SECONDS))) throw BadToken();
    return user;
  });
}

/**
 * The part of a token that its signature covers. One signature can be written in several ways, as with other spare bits
 * at its end, so a token is not known again by the whole of its text.
 */
function signedPartOf(token: string): string {
  return token.slice(0, token.lastIndexOf('.'));
}

/**
 * Returns the claims of a token if the organization's key signed it and it is valid now. The organization's
 * configuration decides the algorithm, not the token.
 */
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
  doc: 'Returns the API key of the account that a signed JSON Web Token names.',
  who: anyone,
  params: {
    token: optional(raw(text({ max: 10_000 }), 'Signed with the key of the organization; works once.')),
    include_profile: optional(json(bool(), 'Whether the account comes with its key.')),
  },
  returns: { api_key: str(), email: str(), user_id: idOf<UserId>(), user: maybe(anyJson()) },
  fails: [NoToken, BadToken, NotEnabled, NobodysToken, UnknownHost],
  async run({ context, realm, params, request }) {
    if (!realm) throw UnknownHost();
    const user = await accountOfToken({ context, realm, address: request.address }, params.token);
    if (!params.include_profile) return credentialsOf(context, user);
    const viewer = { role: user.role, userId: user.id, clientGravatar: false };
    return { ...credentialsOf(context, user), user: toWireUser(user, realm.host, viewer) };
  },
});

/**
 * Receives a token from a page of the organization. The form always comes from another site, so it has no form token of
 * ours; the signed token replaces it, and works once.
 */
const jwtPage = page({
  methods: ['POST'],
  path: '/accounts/login/jwt',
  handle: async (request) => {
    if (!hasRealm(request)) return noOrganization(request);
    const fields = await request.form();
    try {
      const user = await accountOfToken(request, fields.get('token'));
      return await enterOrAsk(request, user, { next: safeNext(fields.get('next')), pad: undefined });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return notLoggedIn(request, error.row.status, error.message);
    }
  },
});

export const jwtEndpoints = [jwtFetchApiKey];
export const jwtPages = [jwtPage];
