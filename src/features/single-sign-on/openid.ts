import type { JWTVerifyGetKey } from 'jose';
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import type { Clock } from '#kernel/clock';
import { type GithubProvider, isSafeAddress, type OpenidProvider } from '#kernel/identity';
import type { Context } from '#kernel/context';
import { type Outbound, OutboundFault, type OutboundRequest } from '#kernel/outbound';
import { type FailureReason, ProviderFault, type Secrets, type Vouched } from './vouched.ts';

/** The keys that a provider publishes; fetched again when a key is unknown. */
type Keys = JWTVerifyGetKey;

/** The library is loaded with the first sign-in with a provider. */
const load = () => import('openid-client');

/** Most bytes of a provider's answer, and most milliseconds that it may take. */
const MAX_BYTES = 262_144;
const TIMEOUT_MS = 8_000;
/** Milliseconds for which a provider's discovery document is cached, and before it is fetched again after a failure. */
const DISCOVERY_MS = 3_600_000;
const FAILED_MS = 5_000;
/** Seconds by which a provider's clock may differ. */
const LEEWAY_SECONDS = 30;
/** Most sign-ins that may wait for one provider at once. */
const MAX_WAITING = 50;

/** A provider with OAuth 2.0. */
export type OauthProvider = OpenidProvider | GithubProvider;

/** Client of a server's providers. A provider that hangs does not delay sign-ins with others. */
export class OpenidClient {
  readonly #outbound: Outbound;
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly until: number; readonly configuration: Promise<Configuration> }>();
  readonly #waiting = new Map<string, number>();
  readonly #keys = new Map<string, { readonly address: string; readonly keys: Keys }>();

  constructor({ identity, clock }: Pick<Context, 'identity' | 'clock'>) {
    this.#outbound = identity.outbound;
    this.#clock = clock;
  }

  /** The address at the provider where somebody signs in. Source: protocol/authentication#openid-connect. */
  authorizationUrl(provider: OauthProvider, redirect_uri: string, secrets: Secrets): Promise<string> {
    const { state, nonce, verifier, notBefore } = secrets;
    return this.#guarded(provider, async (client, configuration) => {
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri,
        scope: scopeOf(provider),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        ...(provider.kind === 'openid' && { nonce }),
        // Core, 3.1.2.1: the provider authenticates again, even if somebody is signed in there.
        ...(provider.kind === 'openid' && notBefore !== undefined && { prompt: 'login', max_age: '0' }),
      });
      return url.href;
    });
  }

  /**
   * Reads an OpenID provider's claims about a person who returns from it. Source:
   * protocol/authentication#openid-connect.
   */
  claims(provider: OpenidProvider, answer: URL, secrets: Secrets): Promise<Vouched> {
    const { state, nonce, verifier, notBefore } = secrets;
    return this.#guarded(provider, async (client, configuration) => {
      const tokens = await client.authorizationCodeGrant(configuration, answer, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const token = tokens.claims();
      if (!token) throw new ProviderFault('invalid', 'no ID token');
      const { auth_time } = token;
      // A provider that was asked to authenticate again must say when it did (Core, 2).
      if (notBefore !== undefined && (auth_time === undefined || auth_time < notBefore - LEEWAY_SECONDS))
        throw new ProviderFault('invalid', auth_time === undefined ? 'no time of the log-in' : 'an old log-in');
      const names = claimNames(provider);
      const isAsked =
        token[names.email] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
      // The library compares the subjects of both.
      const more = isAsked ? await client.fetchUserInfo(configuration, tokens.access_token, token.sub) : undefined;
      // Claims of the token take precedence, except that an address is verified only by whoever names it.
      const claims = more ? { ...more, ...token, [names.email_verified]: more[names.email_verified] } : token;
      const { sid } = token;
      const session = { sid: typeof sid === 'string' ? sid : undefined, token: tokens.id_token };
      return { ...vouchedBy(provider, token.iss, token.sub, claims), session, signedInAt: secondsOf(auth_time) };
    });
  }

  /** The address where somebody logs out at a provider and returns from; undefined if it has none. */
  signOutUrl(provider: OpenidProvider, back: string, hint: string | undefined): Promise<string | undefined> {
    return this.#guarded(provider, (client, configuration) => {
      if (configuration.serverMetadata().end_session_endpoint === undefined) return Promise.resolve(undefined);
      const url = client.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: back,
        ...(hint !== undefined && { id_token_hint: hint }),
      });
      return Promise.resolve(url.href);
    });
  }

  /** Verifies a token that a provider signed for this server and that is valid now, and returns its claims. */
  verified(provider: OpenidProvider, token: string): Promise<Readonly<Record<string, unknown>>> {
    return this.#guarded(provider, async (_client, configuration) => {
      const { issuer, jwks_uri, id_token_signing_alg_values_supported } = configuration.serverMetadata();
      // Whoever reads along on the way to the keys could put in their own.
      if (jwks_uri === undefined || !isSafeAddress(jwks_uri)) throw new ProviderFault('invalid', 'no keys');
      const { jwtVerify } = await import('jose');
      const announced = id_token_signing_alg_values_supported ?? ['RS256'];
      const { payload } = await jwtVerify(token, await this.#keysOf(provider, jwks_uri), {
        issuer,
        audience: provider.client_id,
        // Symmetric algorithms would use the client secret as the key, and `none` is no signature.
        algorithms: announced.filter((name) => /^(?:RS|PS|ES)\d+$|^Ed/.test(name)),
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(this.#clock.nowMs()),
      });
      return payload;
    });
  }

  async #keysOf({ id }: OpenidProvider, address: string): Promise<Keys> {
    const { createRemoteJWKSet, customFetch } = await import('jose');
    const known = this.#keys.get(id);
    if (known?.address === address) return known.keys;
    const outbound = this.#outbound;
    const keys = createRemoteJWKSet(new URL(address), {
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: (url: string) => replyOf(outbound, { url, method: 'GET' }),
    });
    this.#keys.set(id, { address, keys });
    return keys;
  }

  /** Fetches an OAuth provider's answers at these addresses about a person who returns from it. */
  answers(
    provider: GithubProvider,
    answer: URL,
    { state, verifier }: Secrets,
    addresses: readonly URL[],
  ): Promise<readonly unknown[]> {
    return this.#guarded(provider, async (client, configuration) => {
      const checks = { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: false };
      const { access_token } = await client.authorizationCodeGrant(configuration, answer, checks);
      const replies: unknown[] = [];
      for (const url of addresses) {
        const reply = await client.fetchProtectedResource(configuration, access_token, url, 'GET');
        if (!reply.ok) throw new ProviderFault('invalid', `status ${reply.status}`);
        replies.push(await reply.json());
      }
      return replies;
    });
  }

  /** Runs a step with a provider within limits; turns errors into `ProviderFault`. */
  async #guarded<T>(
    provider: OauthProvider,
    step: (client: Awaited<ReturnType<typeof load>>, configuration: Configuration) => Promise<T>,
  ): Promise<T> {
    const waiting = this.#waiting.get(provider.id) ?? 0;
    if (waiting >= MAX_WAITING) throw new ProviderFault('busy', 'too many wait');
    this.#waiting.set(provider.id, waiting + 1);
    try {
      return await step(await load(), await this.#configurationOf(provider));
    } catch (error) {
      throw faultOf(error);
    } finally {
      this.#waiting.set(provider.id, (this.#waiting.get(provider.id) ?? 1) - 1);
    }
  }

  /** The provider's configuration by discovery, fetched once for simultaneous sign-ins. */
  #configurationOf(provider: OauthProvider): Promise<Configuration> {
    const now = this.#clock.monotonicMs();
    const known = this.#known.get(provider.id);
    if (known && known.until > now) return known.configuration;
    const configuration = this.#discover(provider);
    this.#known.set(provider.id, { until: now + DISCOVERY_MS, configuration });
    configuration.catch(() =>
      this.#known.set(provider.id, { until: this.#clock.monotonicMs() + FAILED_MS, configuration }),
    );
    return configuration;
  }

  async #discover(provider: OauthProvider): Promise<Configuration> {
    const client = await load();
    const metadata = { client_secret: provider.client_secret ?? '', [client.clockTolerance]: LEEWAY_SECONDS };
    const insecure = isLoopback(provider) ? [client.allowInsecureRequests] : [];
    const viaOutbound = fetchBy(this.#outbound);
    if (provider.kind === 'openid')
      return client.discovery(new URL(provider.issuer), provider.client_id, metadata, clientAuth(client, provider), {
        execute: [client.enableNonRepudiationChecks, ...insecure],
        timeout: TIMEOUT_MS / 1000,
        [client.customFetch]: viaOutbound,
      });
    const { issuer, authorize, token } = addressesOf(provider);
    const server = { issuer, authorization_endpoint: authorize, token_endpoint: token };
    const auth = provider.client_secret === undefined ? client.None() : client.ClientSecretPost(provider.client_secret);
    const configuration = new client.Configuration(server, provider.client_id, metadata, auth);
    for (const allow of insecure) allow(configuration);
    configuration[client.customFetch] = viaOutbound;
    return configuration;
  }
}

/**
 * How this server authenticates to a provider: as the operator says, else in the header if the provider supports that
 * or does not say (OpenID Connect Discovery, 3), else in the form.
 */
function clientAuth(
  { None, ClientSecretBasic, ClientSecretPost }: Awaited<ReturnType<typeof load>>,
  { client_secret, client_authentication: wanted }: OpenidProvider,
): ClientAuth {
  if (client_secret === undefined) return None();
  const ways = { basic: ClientSecretBasic(client_secret), post: ClientSecretPost(client_secret) };
  return (server, ...rest) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    ways[wanted ?? (taken.includes('client_secret_basic') ? 'basic' : 'post')](server, ...rest);
  };
}

/** Addresses of a GitHub server; the API of github.com has a host of its own. */
export function addressesOf({ url = 'https://github.com' }: GithubProvider) {
  const base = url.replace(/\/+$/, '');
  return {
    issuer: `${base}/login/oauth`,
    authorize: `${base}/login/oauth/authorize`,
    token: `${base}/login/oauth/access_token`,
    api: base === 'https://github.com' ? 'https://api.github.com' : `${base}/api/v3`,
  };
}

/** A time of a provider in whole seconds; it may be a fraction (RFC 7519, 2), or nonsense. */
function secondsOf(time: number | undefined): number | undefined {
  return time === undefined ? undefined : Math.max(0, Math.floor(time));
}

/** The provider's names of the claims that are read. */
function claimNames({ claims = {} }: OpenidProvider) {
  const { name = 'name', email = 'email', email_verified = 'email_verified', groups = 'groups' } = claims;
  return { name, email, email_verified, groups, picture: claims.picture ?? 'picture' };
}

function vouchedBy(
  provider: OpenidProvider,
  issuer: string,
  subject: string,
  claims: Readonly<Record<string, unknown>>,
): Vouched {
  const names = claimNames(provider);
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : undefined);
  const groups = claims[names.groups];
  return {
    issuer,
    subject,
    name: text(names.name),
    email: text(names.email),
    // Some providers send the text "true".
    isVerified: provider.emails_verified === true || [true, 'true'].some((yes) => claims[names.email_verified] === yes),
    picture: text(names.picture),
    groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : undefined,
  };
}

function scopeOf(provider: OauthProvider): string {
  if (provider.kind === 'github') return 'read:user user:email';
  return [...new Set(['openid', ...(provider.scopes ?? ['email', 'profile'])])].join(' ');
}

function isLoopback(provider: OauthProvider): boolean {
  const address = provider.kind === 'openid' ? provider.issuer : (provider.url ?? '');
  return address.startsWith('http:');
}

/** Sends the library's requests through the server's outbound client, with its limits. */
function fetchBy(outbound: Outbound): CustomFetch {
  return (url, { method, headers, body }) =>
    replyOf(outbound, {
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      ...(typeof body === 'string' && { body }),
    });
}

async function replyOf(outbound: Outbound, request: OutboundRequest): Promise<Response> {
  const reply = await outbound.fetch({ ...request, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  const isEmpty = [204, 205, 304].includes(reply.status);
  return new Response(isEmpty ? null : new Uint8Array(reply.body), {
    status: reply.status,
    headers: Object.fromEntries(reply.headers),
  });
}

/** The library's error codes for an answer that refuses. */
const REFUSALS = ['OAUTH_AUTHORIZATION_RESPONSE_ERROR'];

function faultOf(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof OutboundFault) return new ProviderFault(outboundReason(cause), cause.reason, error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unexpected';
  return new ProviderFault(REFUSALS.includes(code) ? 'refused' : 'invalid', code, error);
}

function outboundReason({ reason }: OutboundFault): FailureReason {
  return reason === 'size' || reason === 'encoding' || reason === 'redirects' ? 'invalid' : 'away';
}
