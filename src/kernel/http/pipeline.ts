import { causeOfRequest, isForgotten, withCause } from '#kernel/audit';
import { type Actor, CONFIRMED_SECONDS } from '#kernel/auth';
import { type AnyEndpoint, decode, Held, ignoredParameters, RawBody } from '#kernel/endpoint';
import { ApiError, ConfirmationNeeded, KeyNotEnough, RouteMissing, ServerBusy } from '#kernel/errors';
import { admit } from './admission.ts';
import { answerRoom } from './answer.ts';
import { assertAudited, assertDeclared, assertReply } from './declared.ts';
import type { Incoming, PipelineOptions, Progress } from './incoming.ts';
import type { HttpRequest } from './request.ts';

/**
 * Processes a request, from its host to its reply, in the order of protocol/wire#parameters to
 * protocol/authentication#credentials.
 */
export async function run(
  options: PipelineOptions,
  incoming: Incoming,
  progress: Progress,
): Promise<string | Held | RawBody> {
  const { endpoint, realm, actor, fields, facts, recheck } = await admit(options, incoming, progress);
  const params = decode(endpoint.params, fields);
  if (actor && endpoint.dangerous?.(params as Parameters<typeof endpoint.dangerous>[0]))
    assertConfirmed(actor, options.context.clock.now());
  const ignored = ignoredParameters(endpoint.params, fields);
  if (endpoint.mayBeLarge) await beginMaking(incoming.request, progress);
  try {
    // The cast is safe: admit() has applied the access rule, and decode() the parameters.
    const room = answerRoom(incoming.request, progress.caller);
    const request = { ...facts, ignoredParameters: ignored, room };
    // GET operations do not write, so they need no cause for the audit log.
    const cause = { ...causeOfRequest(actor, endpoint.id, facts.address, facts.userAgent), recheck };
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
 * Throws unless the caller may do something dangerous: with a session whose owner has recently confirmed who they are,
 * or with the account's API key. See protocol/authentication#confirmation.
 */
function assertConfirmed({ shownBy }: Pick<Actor, 'shownBy'>, now: number): void {
  if (shownBy?.kind === 'device key') throw KeyNotEnough();
  if (shownBy?.kind === 'session' && shownBy.confirmedAt <= now - CONFIRMED_SECONDS) throw ConfirmationNeeded();
}

/** Waits for the turn to make a large reply; throws if there is no room for it, or the client has disconnected. */
async function beginMaking(request: HttpRequest, progress: Progress): Promise<void> {
  const { response, traffic } = request;
  const payer = request.payerOf(progress.caller);
  progress.endMaking = await traffic.making.take(payer);
  if (response.destroyed) throw RouteMissing();
  if (!traffic.answers.hasRoomForAnother(payer)) throw ServerBusy({ 'retry-after': 5 });
}
