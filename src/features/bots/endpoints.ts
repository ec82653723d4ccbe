import { endpoint, file, humanMembers } from '#kernel/endpoint';
import { AdministratorRequired, InsufficientPermission, OwnerRequired } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import { ImageCorrupt, ImageFormatInvalid, ImageTooLarge, ImageUndecodable } from '#kernel/images';
import { dict, idOf, int, list, maybe, nullable, object, str } from '#kernel/schema';
import { PictureTooLarge } from '#features/pictures';
import { apiEmail, avatarUrl, findUser, listBotsOf, type UserRow } from '#features/users';
import { accessBot } from './access.ts';
import { addBot } from './create.ts';
import * as errors from './errors.ts';
import { regenerateKey, removeBot } from './keys.ts';
import { botChangeParams, bot_id, newBotParams } from './params.ts';
import { CATALOGUE } from './integrations.ts';
import { keyOf, readBots, signingSecretOf, toWireSettings } from './read.ts';
import { BotType } from './rules.ts';
import { updateBot } from './update.ts';
import { botSettings, wireIntegration } from './wire.ts';

const SOURCE = 'protocol/bots#operations';
const PICTURE_ERRORS = [
  errors.OneFileAtATime,
  PictureTooLarge,
  ImageFormatInvalid,
  ImageUndecodable,
  ImageTooLarge,
  ImageCorrupt,
];
const ACCESS_ERRORS = [errors.NoSuchBot, InsufficientPermission, OwnerRequired];
const avatar = file('A picture, as the one file part of the form.');

const urlOf = (user: UserRow) => avatarUrl(user, { mayBeNull: false }) ?? '';

const getIntegrations = endpoint({
  id: 'get-integrations',
  method: 'GET',
  path: '/integrations',
  source: 'protocol/bots#incoming-webhooks',
  doc: 'The integrations of this server, by name: the same list as `realm_incoming_webhook_bots`.',
  who: humanMembers,
  params: {},
  returns: { integrations: list(wireIntegration) },
  run: () => Promise.resolve({ integrations: [...CATALOGUE] }),
});

const getBots = endpoint({
  id: 'get-bots',
  method: 'GET',
  path: '/bots',
  source: SOURCE,
  doc: "The caller's own active bots, with their keys.",
  who: humanMembers,
  givesKeys: true,
  params: {},
  returns: {
    bots: list(object({ username: str(), full_name: str(), api_key: str(), avatar_url: str(), ...botSettings })),
  },
  async run({ actor, realm, context }) {
    const own = await context.store.in(realm).read(async (tx) => {
      const users = await listBotsOf(tx, actor.userId);
      return readBots(
        tx,
        users.filter((user) => user.is_active),
      );
    });
    const bots = own.map((bot) => ({
      username: bot.user.email,
      full_name: bot.user.full_name,
      api_key: keyOf(context.server.secret, bot.user),
      avatar_url: urlOf(bot.user),
      ...toWireSettings(bot),
    }));
    return { bots };
  },
});

const createBot = endpoint({
  id: 'create-bot',
  method: 'POST',
  path: '/bots',
  source: SOURCE,
  doc: 'Makes a bot that belongs to the caller.',
  who: humanMembers,
  params: { ...newBotParams, avatar },
  returns: { user_id: idOf<UserId>(), api_key: str(), avatar_url: str(), ...botSettings },
  fails: [
    errors.BadNameOrUsername,
    errors.NameFault,
    errors.EmbeddedBotsDisabled,
    errors.UsernameTaken,
    errors.NameTaken,
    InsufficientPermission,
    errors.InvalidBotType,
    errors.InvalidInterface,
    ...PICTURE_ERRORS,
    errors.InvalidChannelName,
    errors.InvalidIntegration,
  ],
  async run({ actor, params, context }) {
    const bot = await addBot(context, actor, params);
    const { user } = bot;
    return {
      user_id: user.id,
      api_key: keyOf(context.server.secret, user),
      avatar_url: urlOf(user),
      ...toWireSettings(bot),
    };
  },
});

const changeBot = endpoint({
  id: 'update-bot',
  method: 'PATCH',
  path: '/bots/{bot_id}',
  source: SOURCE,
  doc: 'Changes a bot, for its owner and administrators.',
  who: humanMembers,
  params: { ...botChangeParams, avatar },
  returns: {
    full_name: str(),
    avatar_url: str(),
    service_interface: int(),
    service_payload_url: nullable(str()),
    config_data: nullable(dict(str())),
    ...botSettings,
    bot_owner: maybe(str()),
  },
  fails: [
    ...ACCESS_ERRORS,
    errors.NameFault,
    errors.NameTaken,
    errors.InvalidRole,
    AdministratorRequired,
    errors.NoSuchBotOwner,
    errors.BotOwnerDeactivated,
    errors.BotOwnerIsBot,
    errors.InvalidInterface,
    errors.InvalidChannelName,
    ...PICTURE_ERRORS,
  ],
  async run({ actor, realm, params, context }) {
    const bot = await updateBot(context, actor, params);
    const { user, row } = bot;
    const ownerId = user.bot_owner_id;
    const owner = ownerId === null ? undefined : await context.store.in(realm).query((tx) => findUser(tx, ownerId));
    return {
      full_name: user.full_name,
      avatar_url: urlOf(user),
      service_interface: row.service_interface,
      service_payload_url: user.bot_type === BotType.outgoingWebhook ? row.base_url : null,
      config_data: user.bot_type === BotType.incomingWebhook ? row.config_data : null,
      ...toWireSettings(bot),
      ...(owner && { bot_owner: apiEmail(owner, realm.host) }),
    };
  },
});

const deactivateBot = endpoint({
  id: 'deactivate-bot',
  method: 'DELETE',
  path: '/bots/{bot_id}',
  source: SOURCE,
  doc: 'Deactivates a bot, for its owner and administrators.',
  who: humanMembers,
  params: { bot_id },
  returns: {},
  fails: ACCESS_ERRORS,
  async run({ actor, params, context }) {
    await removeBot(context, actor, params.bot_id);
    return {};
  },
});

const getKey = endpoint({
  id: 'get-bot-api-key',
  method: 'GET',
  path: '/bots/{bot_id}/api_key',
  source: SOURCE,
  since: 463,
  doc: 'The key of a bot, for its owner and administrators.',
  who: humanMembers,
  givesKeys: true,
  params: { bot_id },
  returns: { api_key: str() },
  fails: ACCESS_ERRORS,
  async run({ actor, params, context }) {
    const user = await context.store.as(actor).query((tx) => accessBot(tx, params.bot_id));
    return { api_key: keyOf(context.server.secret, user) };
  },
});

const renewKey = endpoint({
  id: 'regenerate-bot-api-key',
  method: 'POST',
  path: '/bots/{bot_id}/api_key/regenerate',
  source: SOURCE,
  doc: 'Makes a new API key for a bot; the old one stops working at once.',
  who: humanMembers,
  params: { bot_id },
  returns: { api_key: str() },
  fails: ACCESS_ERRORS,
  async run({ actor, params, context }) {
    return { api_key: await regenerateKey(context, actor, params.bot_id) };
  },
});

const getSigningSecret = endpoint({
  id: 'get-bot-signing-secret',
  method: 'GET',
  path: '/bots/{bot_id}/signing_secret',
  source: 'protocol/bots#signatures',
  doc: 'The secret that signs the calls of an outgoing webhook bot, for its owner and administrators.',
  who: humanMembers,
  params: { bot_id },
  returns: { signing_secret: str() },
  fails: [...ACCESS_ERRORS, errors.NoSuchWebhook],
  async run({ actor, params, context }) {
    const user = await context.store.as(actor).query((tx) => accessBot(tx, params.bot_id));
    if (user.bot_type !== BotType.outgoingWebhook) throw errors.NoSuchWebhook();
    return { signing_secret: signingSecretOf(context.server.secret, user) };
  },
});

export const botEndpoints = [
  getIntegrations,
  getBots,
  createBot,
  changeBot,
  deactivateBot,
  getKey,
  renewKey,
  getSigningSecret,
];
