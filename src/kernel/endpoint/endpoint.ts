import type { IncomingHttpHeaders } from 'node:http';
import type { RealmRef } from '#kernel/auth';
import type { ErrorFactory } from '#kernel/errors';
import type { Context, ReadContext } from '#kernel/context';
import { object, type Schema, type SchemaOf, type Shape } from '#kernel/schema';
import type { Access, ActorOf } from './access.ts';
import type { Params, ParamsOf } from './params.ts';
import type { AnswerRoom, Held, RawBody } from './reply.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** What a handler may know of the request besides its parameters. */
export interface RequestFacts {
  /** Name of the program that sent it; at most 30 characters. See protocol/wire#client-name. */
  readonly client: string;
  /** The client's address; trusted proxies are skipped. */
  readonly address: string;
  /** Token in the session cookie; undefined if there is none. */
  readonly sessionToken: string | undefined;
  readonly acceptsGzip: boolean;
  /** Names that were sent and are not declared; only for handlers that serialize their reply (`RawBody`). */
  readonly ignoredParameters: readonly string[];
  /** Room for a reply that is made in parts; only for handlers that reply with buffers of their own (`RawBody`). */
  readonly room: AnswerRoom;
  /** Text of the User-Agent header. */
  readonly userAgent: string;
  readonly headers: IncomingHttpHeaders;
  /** Parameters in the query string; of a repeated name, the last one. */
  readonly query: ReadonlyMap<string, string>;
}

/** What a handler gets. */
export interface EndpointContext<A extends Access, P extends Params, K> {
  readonly actor: ActorOf<A>;
  /** Undefined only where credentials are ignored and the host names no organization. */
  readonly realm: A extends Access<'ignored'> ? RealmRef | undefined : RealmRef;
  readonly params: ParamsOf<P>;
  readonly context: K;
  readonly request: RequestFacts;
}

type Optional<S extends Shape> = { [K in keyof S]: undefined extends SchemaOf<S[K]> ? K : never }[keyof S];
type Answer<S extends Shape> = { readonly [K in Exclude<keyof S, Optional<S>>]: SchemaOf<S[K]> } & {
  readonly [K in Optional<S>]?: SchemaOf<S[K]>;
};

interface Declaration<M extends Method, Path extends string, A extends Access, P extends Params, R extends Shape> {
  /** The operation's name in kebab case, beginning with a verb: `get-messages`. */
  readonly id: string;
  readonly method: M;
  /** Below /api/v1, with `{name}` for parameters. */
  readonly path: Path;
  /** The heading of docs/protocol that describes it, as in `protocol/typing#direct`. */
  readonly source: string;
  /** Feature level that introduced it. */
  readonly since?: number;
  /** One sentence for the documentation. */
  readonly doc: string;
  readonly who: A;
  /** Decoded in this order; the first fault is the answer. */
  readonly params: P;
  readonly returns: R;
  readonly fails?: readonly ErrorFactory<never>[];
  /** Whether incoming-webhook bots may call it. */
  readonly webhookBots?: true;
  /**
   * Whether the API key may be in the query as `api_key`, which takes precedence over a header: for services that are
   * configured with an address only. Browser sessions are not accepted then.
   */
  readonly takesKey?: true;
  /** Does not count against the caller's rate limit. */
  readonly unlimited?: true;
  /** Whether a reply may take megabytes, or searching for it seconds; then only a few are made at a time. */
  readonly mayBeLarge?: true;
  /** Set if the operation sends events but changes nothing, so that the audit log has no entry. */
  readonly changesNothing?: true;
  /** For methods other than GET: whether read-only keys may call it, because it changes nothing that anybody sees. */
  readonly readsOnly?: true;
  /** Whether its reply contains keys of accounts, which read-only keys must not get. */
  readonly givesKeys?: true;
  /**
   * For operations by which somebody at another person's browser could take over an account or an organization: a
   * session must have been confirmed recently, and device keys are refused. A function limits this to calls with some
   * parameters. See protocol/authentication#confirmation.
   */
  readonly dangerous?: true | ((params: ParamsOf<P>) => boolean);
  readonly run: (
    call: EndpointContext<A, P, M extends 'GET' ? ReadContext : Context>,
  ) => Promise<Answer<R> | Held | RawBody>;
}

/** An endpoint without its specific types, for the server and the documentation. */
export interface AnyEndpoint {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly source: string;
  readonly since: number | undefined;
  readonly doc: string;
  readonly who: Access;
  readonly params: Params;
  readonly returns: Shape;
  readonly replySchema: Schema;
  readonly fails: readonly ErrorFactory<never>[];
  readonly webhookBots: boolean;
  readonly unlimited: boolean;
  readonly mayBeLarge: boolean;
  readonly changesNothing: boolean;
  readonly takesKey: boolean;
  readonly readsOnly: boolean;
  readonly givesKeys: boolean;
  /** Whether a call with these parameters is dangerous; undefined if no call is. */
  readonly dangerous: ((params: ParamsOf<Params>) => boolean) | undefined;
  run(call: EndpointContext<Access, Params, Context>): Promise<Record<string, unknown> | Held | RawBody>;
}

export type Endpoints = readonly AnyEndpoint[];

/** An endpoint with the types that callers need: the web client's calls are checked against them. */
export interface Endpoint<M extends Method, Path extends string, P extends Params, R extends Shape>
  extends AnyEndpoint {
  readonly method: M;
  readonly path: Path;
  readonly params: P;
  readonly returns: R;
}

/** Declares an operation. */
export function endpoint<
  const M extends Method,
  const Path extends string,
  A extends Access,
  const P extends Params,
  const R extends Shape,
>(declaration: Declaration<M, Path, A, P, R>): Endpoint<M, Path, P, R> {
  return {
    ...declaration,
    since: declaration.since,
    fails: declaration.fails ?? [],
    webhookBots: declaration.webhookBots ?? false,
    unlimited: declaration.unlimited ?? false,
    mayBeLarge: declaration.mayBeLarge ?? false,
    changesNothing: declaration.changesNothing ?? false,
    takesKey: declaration.takesKey ?? false,
    readsOnly: declaration.readsOnly ?? false,
    givesKeys: declaration.givesKeys ?? false,
    // The cast is safe: the listener calls it with parameters that were decoded by the same declaration.
    dangerous: dangerOf(declaration.dangerous) as unknown as AnyEndpoint['dangerous'],
    replySchema: object(declaration.returns),
    // The cast is safe: the listener decodes parameters by this declaration's `params`, and checks the caller by `who`.
    run: declaration.run as unknown as AnyEndpoint['run'],
  };
}

function dangerOf<P extends Params>(
  dangerous: true | ((params: ParamsOf<P>) => boolean) | undefined,
): ((params: ParamsOf<P>) => boolean) | undefined {
  return dangerous === true ? () => true : dangerous;
}
