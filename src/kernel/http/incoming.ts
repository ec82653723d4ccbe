import { type AuthSource, type RealmRef, realmHostOf } from '#kernel/auth';
import { OrganizationMoved } from '#kernel/errors';
import type { AnyEndpoint } from '#kernel/endpoint';
import type { Context } from '#kernel/context';
import type { Allowance, RateLimits } from '#kernel/limits';
import type { Caller, HttpRequest } from './request.ts';
import { isIP } from 'node:net';

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

/**
 * Returns the subdomain in a Host header: '' for the root domain, undefined for a foreign host. IP addresses and
 * `localhost` mean the root domain, so that a server can be reached before it has a name.
 */
function subdomainOf(hostHeader: string | undefined, externalUrl: string): string | undefined {
  // Cached, because most requests have the same host as the one before.
  if (latest.hostHeader !== hostHeader || latest.externalUrl !== externalUrl)
    latest = { hostHeader, externalUrl, subdomain: findSubdomain(hostHeader, externalUrl) };
  return latest.subdomain;
}

interface Answer {
  readonly hostHeader: string | undefined;
  readonly externalUrl: string;
  readonly subdomain: string | undefined;
}

/** The last result; an empty address never matches. */
let latest: Answer = { hostHeader: undefined, externalUrl: '', subdomain: undefined };

function findSubdomain(hostHeader: string | undefined, externalUrl: string): string | undefined {
  const host = hostName(hostHeader ?? '');
  const root = realmHostOf('', { externalUrl });
  if (host === root || host === '' || host === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return '';
  for (const base of [root, 'localhost']) {
    const label = host.endsWith(`.${base}`) ? host.slice(0, -base.length - 1) : '';
    if (/^[a-z0-9-]+$/.test(label)) return label;
  }
  return undefined;
}

function hostName(header: string): string {
  return header.trim().toLowerCase().replace(/:\d+$/, '');
}
