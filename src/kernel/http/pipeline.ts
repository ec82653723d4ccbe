import { causeOfRequest, isForgotten, withCause } from '#kernel/audit';
import { type Actor, CONFIRMED_SECONDS } from '#kernel/auth';
import { type AnyEndpoint, decode, Held, ignoredParameters, RawBody } from '#kernel/endpoint';
import { ApiError, ConfirmationNeeded, KeyNotEnough, RouteMissing, ServerBusy } from '#kernel/errors';
import { admit } from './admission.ts';
import { assertAudited, assertDeclared, assertReply } from './declared.ts';
import type { Incoming, PipelineOptions, Progress } from './incoming.ts';
import type { HttpRequest } from './request.ts';

/** Takes a request from host to reply. protocol/wire#parameters to protocol/authentication#credentials in order. */
export async function run(
  options: PipelineOptions,
  incoming: Incoming,
  progress: Progress,
): Promise<string | Held | RawBody> {
  const { endpoint, realm, actor, fields, facts } = await admit(options, incoming, progress);
  const params = decode(endpoint.params, fields);
  if (actor && endpoint.dangerous?.(params as Parameters<typeof endpoint.dangerous>[0]))
    assertConfirmed(actor, options.context.clock.now());
  const ignored = ignoredParameters(endpoint.params, fields);
  if (endpoint.mayBeLarge) await beginMaking(incoming.request, progress);
  try {
    // The call is what the declaration promises: admit() has applied its access, decode() its parameters.
    const request = { ...facts, ignoredParameters: ignored };
    // A query never writes.
    const cause = causeOfRequest(actor, endpoint.id, facts.address, facts.userAgent);
    const context = endpoint.method === 'GET' ? options.context : withCause(options.context, cause);
    const call = { actor, realm, params, context, request } as Parameters<AnyEndpoint['run']>[0];
    const reply = await endpoint.run(call);
    if (options.checkReplies) {
      assertReply(endpoint, reply);
      if (isForgotten(cause)) assertAudited(endpoint);
    }
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

/**
 * Throws unless a caller may do something dangerous: with a session whose owner has shown lately who they are, or with the
 * key of the account. See protocol/authentication#confirmation.
 */
function assertConfirmed({ shownBy }: Pick<Actor, 'shownBy'>, now: number): void {
  if (shownBy?.kind === 'device key') throw KeyNotEnough();
  if (shownBy?.kind === 'session' && shownBy.confirmedAt <= now - CONFIRMED_SECONDS) throw ConfirmationNeeded();
}

/** Waits until an answer that may be large can be made, unless nobody is there to take it or there is no room for it. */
async function beginMaking(request: HttpRequest, progress: Progress): Promise<void> {
  const { response, traffic } = request;
  const payer = request.payerOf(progress.caller);
  progress.endMaking = await traffic.making.take(payer);
  if (response.destroyed) throw RouteMissing();
  if (!traffic.answers.hasRoomForAnother(payer)) throw ServerBusy({ 'retry-after': 5 });
}
