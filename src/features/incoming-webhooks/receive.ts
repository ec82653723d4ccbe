import { BotType } from '#features/bots';
import {
  type Call,
  Field,
  findIntegration,
  HeaderMissing,
  type Integration,
  isSigned,
  isWanted,
  PayloadFault,
  say,
  type Saying,
  UnsupportedEvent,
} from '#features/integrations';
import { sendMessage } from '#features/messages';
import { findPersonCalled } from '#features/users';
import type { Actor } from '#kernel/auth';
import type { Posted, RequestFacts } from '#kernel/endpoint';
import { ApiError, InvalidApiKey, JsonMalformed, ParameterFault, RouteMissing } from '#kernel/errors';
import type { Context } from '#kernel/context';
import type { UserId } from '#kernel/ids';
import { firstFault, text } from '#kernel/schema';
import { decodeLeniently } from '#kernel/text';
import { AnomalousPayload, EventHeaderMissing, SignatureWrong } from './errors.ts';
import { payloadOf } from './payload.ts';
import { tellOwner } from './tell-owner.ts';

/** A request of another service to an integration URL. */
interface Received {
  readonly integration: string;
  readonly stream: string | undefined;
  readonly topic: string | undefined;
  readonly only_events: readonly string[] | undefined;
  readonly exclude_events: readonly string[] | undefined;
  readonly webhook_secret: string | undefined;
  readonly posted: Posted;
  readonly request: Pick<RequestFacts, 'headers' | 'query'>;
}

/** Fields of a successful reply to the service. */
interface Answer {
  readonly ok?: true;
  readonly challenge?: string;
  readonly id?: UserId;
  readonly full_name?: string;
  readonly email?: string;
  readonly msg?: string;
  readonly code?: string;
  readonly webhook_name?: string;
  readonly event_type?: string;
}

/**
 * Posts what a service sent as messages of the bot whose key is in the URL. See protocol/bots#incoming-webhooks,
 * "integration URLs".
 */
export async function receive(context: Context, caller: Actor, sent: Received): Promise<Answer> {
  if (caller.botType !== BotType.incomingWebhook) throw InvalidApiKey();
  const integration = findIntegration(sent.integration);
  if (!integration) throw RouteMissing();
  const actor = { ...caller, client: `${integration.name} webhook`.slice(0, 30) };
  try {
    return await post(context, actor, integration, sent);
  } catch (error) {
    if (error instanceof UnsupportedEvent) return unsupported(context, actor, integration, error.event);
    const refusal = refusalOf(error, integration);
    if (refusal !== error) await tellOwner(context, actor, integration, refusal.message);
    throw integration.answersLikeSlack ? likeSlack(refusal) : refusal;
  }
}

async function post(context: Context, actor: Actor, integration: Integration, sent: Received): Promise<Answer> {
  const call = callOf(sent, integration);
  const payload = await payloadOf(sent.posted, integration);
  if (payload === undefined) throw new NotJson();
  assertSigned(context, integration, sent, call);
  const { only_events: only = [], exclude_events: excluded = [] } = sent;
  const wanted = say(integration, payload, call).filter(({ event }) => isWanted(event, only, excluded));
  for (const one of wanted) {
    const place = one.personCalled
      ? await placeOfPerson(context, actor, one.personCalled)
      : placeOf(actor, one, sent, integration);
    await sendMessage(context, actor, { ...place, content: one.content, read_by_sender: false });
  }
  const bot = { id: actor.userId, full_name: actor.fullName, email: actor.email };
  return { ok: true, ...integration.answer?.((path) => new Field(payload).at(path), bot) };
}

/** Thrown when a body should be JSON and is not. */
class NotJson extends Error {}

function callOf({ request }: Received, integration: Integration): Call {
  const options = optionsOf(integration, request);
  const maybeHeader = (name: string) => String(request.headers[name] ?? '');
  const header = (name: string) => {
    if (maybeHeader(name) === '') throw new HeaderMissing(name);
    return maybeHeader(name);
  };
  return { header, maybeHeader, option: (name) => options.get(name) ?? '' };
}

/** Schema of an option in the URL. */
const OPTION = text();

/**
 * Returns the URL's values for the options that an integration declares; throws if one is longer than any text may be.
 */
function optionsOf({ options = [], adds = [] }: Integration, { query }: Received['request']) {
  const names = [...options.map(({ key }) => key), ...adds];
  return new Map(
    names.map((name) => {
      const read = firstFault(OPTION, name, query.get(name) ?? '');
      if ('fault' in read) throw ParameterFault({ fault: read.fault });
      return [name, read.value] as const;
    }),
  );
}

function assertSigned(context: Context, { signature }: Integration, sent: Received, { maybeHeader }: Call): void {
  const { webhook_secret: secret = '', posted } = sent;
  if (!signature || secret === '') return;
  const body = posted.bytes ?? Buffer.alloc(0);
  if (!isSigned(signature, { header: maybeHeader, body, secret, now: context.clock.now() })) throw SignatureWrong();
}

/** Returns where a message goes: to the channel in the payload or the URL, otherwise to the bot's owner. */
function placeOf(actor: Actor, said: Saying, { stream, topic }: Received, { isEncodedTwice }: Integration) {
  const decoded = (text: string) => (isEncodedTwice ? decodeLeniently(text) : text);
  const channel = said.channel ?? (stream === undefined ? undefined : decoded(stream));
  if (said.person !== undefined)
    return { type: 'direct' as const, to: JSON.stringify([said.person]), topic: undefined };
  if (channel !== undefined) {
    const to = /^\d+$/.test(channel) ? channel : JSON.stringify(channel);
    return { type: 'channel' as const, to, topic: topic === undefined ? said.topic : decoded(topic) };
  }
  return toOwner(actor);
}

function toOwner({ botOwnerId }: Actor) {
  const owner = botOwnerId === null ? [] : [botOwnerId];
  return { type: 'direct' as const, to: JSON.stringify(owner), topic: undefined };
}

/**
 * Addresses the person with one of these names, or the bot's owner if there is none: a personal message must not go to
 * a channel.
 */
async function placeOfPerson({ store }: Context, actor: Actor, names: readonly string[]) {
  for (const name of names) {
    const person = name === '' ? undefined : await store.as(actor).query((tx) => findPersonCalled(tx, name));
    if (person) return { type: 'direct' as const, to: JSON.stringify([person.id]), topic: undefined };
  }
  return toOwner(actor);
}

/** An unsupported event is answered with success, because services send failed events again. */
async function unsupported(
  context: Context,
  actor: Actor,
  { name, title }: Integration,
  event_type: string,
): Promise<Answer> {
  const kind = event_type.slice(0, 100);
  const msg = `The '${kind}' event isn't currently supported by the ${title} webhook; ignoring`;
  await tellOwner(context, actor, { title }, msg);
  return { msg, code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE', webhook_name: name, event_type: kind };
}

/** Converts an error to the one that the service gets. */
function refusalOf(error: unknown, { title }: Integration): ApiError {
  if (error instanceof PayloadFault) return AnomalousPayload({ webhook_name: title });
  if (error instanceof HeaderMissing) return EventHeaderMissing({ header: error.header });
  if (error instanceof NotJson) return JsonMalformed();
  if (error instanceof ApiError) return error;
  throw error;
}

function likeSlack({ row, message, extra }: ApiError): ApiError {
  return new ApiError(row, message, { ...extra, ok: false, error: row.code.toLowerCase() });
}
