import type { AuthSource, RealmRef } from '#kernel/auth';
import { OrganizationMoved } from '#kernel/errors';
import type { AnyEndpoint } from '#kernel/endpoint';
import type { Context } from '#kernel/context';
import type { Allowance, RateLimits } from '#kernel/limits';
import { subdomainOf } from './host.ts';
import type { Caller, HttpRequest } from './request.ts';

/** A request for a path that has operations. */
export interface Incoming {
  readonly request: HttpRequest;
  readonly methods: ReadonlyMap<string, AnyEndpoint>;
  readonly path: Readonly<Record<string, string>>;
}

export interface PipelineOptions {
  readonly context: Context;
  readonly source: AuthSource;
  readonly limits: RateLimits;
  /** Whether to check replies and errors against their declarations; on in development and tests. */
  readonly checkReplies: boolean;
}

/** What is known of a request even if it fails. */
export interface Progress {
  allowance?: Allowance;
  /** Name of the operation, once it is known. */
  label: string;
  /** Whose memory limit the reply counts for. */
  caller: Caller;
  /** Ends this request's turn to make a large reply. */
  endMaking?: () => void;
}

/** Returns the organization of a request's host, or undefined; throws a redirect if it has moved. */
export async function findRealm(
  { context, source }: PipelineOptions,
  request: Pick<HttpRequest, 'host' | 'url'>,
): Promise<RealmRef | undefined> {
  const subdomain = subdomainOf(request.host, context.server.externalUrl);
  if (subdomain === undefined) return undefined;
  const realm = await context.store.query((tx) => source.realm(tx, subdomain));
  if (realm) return realm;
  const moved = await context.store.query((tx) => source.movedRealm(tx, subdomain));
  if (moved) throw OrganizationMoved({ location: newAddress(moved.url, request.url) });
  return undefined;
}

/** The same path at another address, without an API key in the query. */
function newAddress(realmUrl: string, url: string): string {
  const [path = '/', ...query] = url.split('?');
  const parameters = new URLSearchParams(query.join('?'));
  parameters.delete('api_key');
  const rest = parameters.size > 0 ? `?${parameters.toString()}` : '';
  return `${realmUrl}${path.startsWith('/') ? '' : '/'}${path}${rest}`;
}
