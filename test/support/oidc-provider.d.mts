import type { RequestListener } from 'node:http';

/** What the tests use of oidc-provider. */
interface Account {
  readonly accountId: string;
  readonly claims: () => Readonly<Record<string, unknown>>;
}

interface Configuration {
  readonly clients: readonly object[];
  readonly jwks: { readonly keys: readonly object[] };
  readonly findAccount: (context: unknown, id: string) => Account | undefined;
  readonly claims: Readonly<Record<string, readonly string[]>>;
  readonly pkce: { readonly required: () => boolean };
  readonly cookies: { readonly keys: readonly string[] };
  readonly features: Readonly<Record<string, { readonly enabled: boolean }>>;
  readonly fetch: (url: string, options: RequestInit) => Promise<Response>;
  readonly ttl: Readonly<Record<string, number>>;
}

export declare class Provider {
  constructor(issuer: string, configuration: Configuration);
  callback(): RequestListener;
}
