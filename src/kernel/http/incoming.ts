import type { AuthSource, RealmRef } from '#kernel/auth';
import type { AnyEndpoint } from '#kernel/endpoint';
import type { Context } from '#kernel/context';
import type { Allowance, RateLimits } from '#kernel/limits';
import { subdomainOf } from './host.ts';
import type { Caller, HttpRequest } from './request.ts';

/** A request for one of the operations of a path. */
export interface Incoming {
  readonly request: HttpRequest;
  readonly methods: ReadonlyMap<string, AnyEndpoint>;
  readonly path: Readonly<Record<string, string>>;
}

export interface PipelineOptions {
  readonly context: Context;
  readonly source: AuthSource;
  readonly limits: RateLimits;
  /** Whether replies and errors are checked against their declarations; in development and tests. */
  readonly checkReplies: boolean;
}

/** What is known of a request even when it fails. */
export interface Progress {
  allowance?: Allowance;
  /** Name of the operation, once it is known. */
  label: string;
  /** Whose memory an answer takes. */
  caller: Caller;
  /** Lets others make their large answers; called when this one is counted. */
  endMaking?: () => void;
}

/** The organization of a host, or undefined. */
export async function findRealm(options: PipelineOptions, host: string | undefined): Promise<RealmRef | undefined> {
  const subdomain = subdomainOf(host, options.context.server.externalUrl);
  if (subdomain === undefined) return undefined;
  return options.context.store.query((tx) => options.source.realm(tx, subdomain));
}
