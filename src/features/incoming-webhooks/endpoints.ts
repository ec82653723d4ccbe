import { endpoint, everyone, json, optional, pathText, posted, raw } from '#kernel/endpoint';
import { BodyTooLarge, InvalidApiKey, JsonMalformed, ParameterMissing, RouteMissing } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import { idOf, list, literal, maybe, str, text } from '#kernel/schema';
import { SEND_ERRORS } from '#features/messages';
import { AnomalousPayload, EventHeaderMissing, SignatureWrong } from './errors.ts';
import { receive } from './receive.ts';

/** Most patterns of events in one address. */
const MAX_PATTERNS = 100;
const patterns = list(text({ max: 200 }), { max: MAX_PATTERNS });

const postToIntegration = endpoint({
  id: 'post-to-integration',
  method: 'POST',
  path: '/external/{integration}',
  source: 'protocol/bots#incoming-webhooks',
  doc: 'Receives a webhook of another service and sends its content as a message of an incoming webhook bot, whose key is part of the address.',
  who: everyone,
  webhookBots: true,
  takesKey: true,
  params: {
    integration: pathText('Name of the integration.'),
    stream: optional(raw(text(), 'Channel, by name or ID; the owner of the bot is written to when absent.')),
    topic: optional(raw(text(), 'Topic; one that the integration chooses when absent.')),
    only_events: optional(json(patterns, 'Kinds of events that are told; `*` stands for anything.')),
    exclude_events: optional(json(patterns, 'Kinds of events that are not told.')),
    webhook_secret: optional(raw(text(), 'Secret with which the service signs what it posts.')),
    posted: posted('What the service posts.'),
  },
  returns: {
    ok: maybe(literal(true)),
    challenge: maybe(str()),
    id: maybe(idOf<UserId>()),
    full_name: maybe(str()),
    email: maybe(str()),
    msg: maybe(str()),
    code: maybe(str()),
    webhook_name: maybe(str()),
    event_type: maybe(str()),
  },
  fails: [
    ParameterMissing,
    InvalidApiKey,
    RouteMissing,
    BodyTooLarge,
    JsonMalformed,
    AnomalousPayload,
    EventHeaderMissing,
    SignatureWrong,
    ...SEND_ERRORS,
  ],
  run: ({ actor, params, context, request }) => receive(context, actor, { ...params, request }),
});

export const incomingEndpoints = [postToIntegration];
