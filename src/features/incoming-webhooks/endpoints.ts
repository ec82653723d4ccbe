import { anyone, endpoint, json as readJson, jsonBody, optional, pathText, raw } from '#kernel/endpoint';
import {
  InvalidApiKey,
  JsonMalformed,
  MalformedApiKey,
  RealmDeactivated,
  RouteMissing,
  UnknownHost,
  UserDeactivated,
} from '#kernel/errors';
import { anything, text } from '#kernel/schema';
import { SEND_ERRORS } from '#features/messages';
import { receive } from './receive.ts';

/** What other services post is larger than what people fill in; the key of the bot is looked at later. */
const MAX_POSTED_BYTES = 2 ** 20;
/** Most characters of what a service posts, as JSON. */
const MAX_POSTED = 1_000_000;

const postToIntegration = endpoint({
  id: 'post-to-integration',
  method: 'POST',
  path: '/external/{integration}',
  source: 'protocol/bots#incoming-webhooks',
  doc: 'Turns what another service posts into a message of an incoming webhook bot, whose key is part of the address.',
  who: anyone,
  maxAnonymousBytes: MAX_POSTED_BYTES,
  params: {
    integration: pathText('Name of the integration.'),
    api_key: raw(text(), 'Key of the bot.'),
    stream: optional(raw(text(), 'Channel, by name or ID; the owner of the bot is written to when absent.')),
    topic: optional(raw(text(), 'Topic; one that the integration chooses when absent.')),
    payload: optional(readJson(anything({ max: MAX_POSTED }), 'What is posted, by services that send forms.')),
    posted: jsonBody(anything({ max: MAX_POSTED }), 'What the service posts.'),
  },
  returns: {},
  fails: [
    UnknownHost,
    RouteMissing,
    MalformedApiKey,
    InvalidApiKey,
    RealmDeactivated,
    UserDeactivated,
    JsonMalformed,
    ...SEND_ERRORS,
  ],
  async run({ realm, params, context }) {
    if (!realm) throw UnknownHost();
    await receive(context, realm, params);
    return {};
  },
});

export const incomingEndpoints = [postToIntegration];
