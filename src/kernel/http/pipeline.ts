import type { Actor, AuthSource, RealmRef } from '#kernel/auth';
import {
  type AnyEndpoint,
  decode,
  type Fields,
  Held,
  ignoredParameters,
  RawBody,
  type RequestFacts,
} from '#kernel/endpoint';
import { ApiError, IncomingWebhookBot, Unauthorized, UnknownHost } from '#kernel/errors';
import type { Kit } from '#kernel/kit';
import { authenticate, type Presented } from './credentials.ts';
import { assertDeclared, assertReply } from './declared.ts';
import { subdomainOf } from './host.ts';
import type { Allowance, RateLimits } from '#kernel/limits';

/** Type of a bot that may only send messages. */
export const INCOMING_WEBHOOK = 2;

/** A request whose operation is known, before anybody has been let in. */
export interface Incoming {
  readonly endpoint: AnyEndpoint;
  readonly host: string | undefined;
  readonly presented: Presented;
  readonly facts: Omit<RequestFacts, 'ignoredParameters'>;
  /** Reads the parameters; called only when the caller has been let in. */
  readonly fields: () => Promise<Fields>;
}

export interface PipelineOptions {
  readonly kit: Kit;
  readonly source: AuthSource;
  readonly limits: RateLimits;
  /** Whether replies and errors are checked against their declarations; in development and tests. */
  readonly checkReplies: boolean;
}

/** The allowance is known to the caller even when the request fails later. */
export interface Progress {
  allowance?: Allowance;
}

/** Takes a request from host to reply. Contract W2 to W6 in order. */
export async function run(
  options: PipelineOptions,
  incoming: Incoming,
  progress: Progress,
): Promise<string | Held | RawBody> {
  const { endpoint } = incoming;
  const realm = await findRealm(options, incoming.host);
  if (!realm && endpoint.who.credentials !== 'ignored') throw UnknownHost();
  const actor = await admit(options, incoming, realm, progress);
  const fields = await incoming.fields();
  const params = decode(endpoint.params, fields);
  const ignored = ignoredParameters(endpoint.params, fields);
  try {
    // The context is what the declaration promises: admit() has applied its access, decode() its parameters.
    const request = { ...incoming.facts, ignoredParameters: ignored };
    const context = { actor, realm, params, kit: options.kit, request } as Parameters<AnyEndpoint['run']>[0];
    const reply = await endpoint.run(context);
    if (options.checkReplies) assertReply(endpoint, reply);
    if (reply instanceof Held || reply instanceof RawBody) return reply;
    return JSON.stringify({
      result: 'success',
      msg: '',
      ...reply,
      ...(ignored.length > 0 && { ignored_parameters_unsupported: ignored }),
    });
  } catch (error) {
    if (options.checkReplies && error instanceof ApiError) assertDeclared(endpoint, error);
    throw error;
  }
}

/** The organization of a host, or undefined. */
export async function findRealm(options: PipelineOptions, host: string | undefined): Promise<RealmRef | undefined> {
  const subdomain = subdomainOf(host, options.kit.server.externalUrl);
  if (subdomain === undefined) return undefined;
  return options.kit.store.query((tx) => options.source.realm(tx, subdomain));
}

async function admit(
  options: PipelineOptions,
  incoming: Incoming,
  realm: RealmRef | undefined,
  progress: Progress,
): Promise<Actor | null> {
  const { endpoint, facts, presented } = incoming;
  const { limits, kit } = options;
  if (!realm || endpoint.who.credentials === 'ignored') {
    progress.allowance = await limits.take('address', facts.address);
    return null;
  }
  const actor = await authenticate(kit, options.source, realm, presented).catch(async (error: unknown) => {
    // Whoever guesses keys is slowed down by address.
    progress.allowance = await limits.take('address', facts.address);
    throw error;
  });
  progress.allowance = actor
    ? await limits.take('user', String(actor.userId))
    : await limits.take('address', facts.address);
  if (!actor) {
    if (endpoint.who.credentials === 'required') throw Unauthorized();
    return null;
  }
  if (actor.botType === INCOMING_WEBHOOK && !endpoint.webhookBots) throw IncomingWebhookBot();
  const refusal = endpoint.who.refuse(actor);
  if (refusal) throw refusal;
  return actor;
}
