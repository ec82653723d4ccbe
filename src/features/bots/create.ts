import type { Actor, ActorReadTx, ActorWriteTx } from '#kernel/auth';
import type { UploadedFile } from '#kernel/endpoint';
import { lockLog } from '#kernel/events';
import type { ChannelId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { isAdministrator, Role } from '#kernel/permissions';
import { storeAvatar } from '#features/avatars';
import { announceRoleGroups } from '#features/groups';
import { receivePicture } from '#features/pictures';
import { readRealm, settingsOf } from '#features/realms';
import { announceAccount, insertUser } from '#features/users';
import { accessChannelByName, assertMayCreate, assertNameFree, assertUsernameFree, botName } from './access.ts';
import { EmbeddedBotsDisabled, InvalidBotType, OneFileAtATime } from './errors.ts';
import { botAdded } from './events.ts';
import { assertIntegration } from './integrations.ts';
import { putBot } from './queries.ts';
import { type Bot, defaultsOfBot, readBot, toWireBot } from './read.ts';
import { assertInterface, BOT_TYPES, botEmail, BotType } from './rules.ts';

/** The request for a new bot. */
export interface NewBot {
  readonly full_name: string;
  readonly short_name: string;
  readonly bot_type: number;
  readonly payload_url: string;
  readonly service_name: string | undefined;
  readonly config_data: Readonly<Record<string, string>>;
  readonly interface_type: number;
  readonly default_sending_stream: string | undefined;
  readonly default_events_register_stream: string | undefined;
  readonly default_all_public_streams: boolean;
  readonly avatar: UploadedFile | undefined;
}

/** Creates a bot that the caller owns. Checks are in the order of protocol/bots#operations. */
export async function addBot(context: Context, actor: Actor, input: NewBot): Promise<Bot> {
  const email = botEmail(input.short_name, actor.realm.host);
  const full_name = botName(input.full_name);
  if (input.bot_type === BotType.embedded) throw EmbeddedBotsDisabled();
  await context.store.as(actor).read(async (tx) => {
    await assertUsernameFree(tx, email);
    await assertNameFree(tx, full_name);
    await assertMayCreate(tx, input.bot_type);
  });
  if (!BOT_TYPES.includes(input.bot_type)) throw InvalidBotType();
  assertInterface(input.interface_type);
  if (!isAdministrator(actor)) await context.limits.take('new-bot', String(actor.userId));
  const picture =
    input.avatar && (await context.images.makeAvatar(await receivePicture(input.avatar, OneFileAtATime), actor.userId));
  const bot = await insert(context, actor, { ...input, email, full_name });
  if (!picture) return bot;
  return { ...bot, user: await storeAvatar(context, { realm: actor.realm, userId: bot.user.id }, picture) };
}

/** Stores the bot and announces it. Checks the names again, which may have been taken since. */
function insert(context: Context, actor: Actor, input: NewBot & { readonly email: string }): Promise<Bot> {
  const { email, full_name, bot_type } = input;
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    await assertUsernameFree(tx, email);
    await assertNameFree(tx, full_name);
    const channels = await channelsOf(tx, input);
    if (bot_type === BotType.incomingWebhook) assertIntegration(input.service_name);
    const user = await insertUser(tx, {
      realm_id: actor.realmId,
      email,
      full_name,
      role: Role.member,
      is_bot: true,
      bot_type,
      bot_owner_id: actor.userId,
      avatar_source: settingsOf(await readRealm(tx)).default_avatar_source,
    });
    await putBot(tx, { ...defaultsOfBot(actor.realmId, user.id), ...channels, ...serviceOf(input) });
    const bot = await readBot(tx, user);
    announce(context, tx, bot);
    return bot;
  });
}

async function channelsOf(tx: ActorReadTx, input: NewBot) {
  const find = async (name: string | undefined): Promise<ChannelId | null> =>
    name === undefined || name === '' ? null : (await accessChannelByName(tx, name)).id;
  return {
    default_sending_stream_id: await find(input.default_sending_stream),
    default_events_register_stream_id: await find(input.default_events_register_stream),
    default_all_public_streams: input.default_all_public_streams,
  };
}

/** Returns the address that the bot calls, or the integration that calls it. */
function serviceOf(input: NewBot) {
  if (input.bot_type === BotType.outgoingWebhook)
    return { base_url: input.payload_url, service_interface: input.interface_type };
  if (input.bot_type === BotType.incomingWebhook && input.service_name !== undefined)
    return { service_name: input.service_name, config_data: input.config_data };
  return {};
}

/** Events are in the order of protocol/events#order, create a bot. */
function announce(context: Context, tx: ActorWriteTx, bot: Bot): void {
  announceAccount(tx, bot.user);
  const audience = { admins: true as const, users: [tx.actor.userId] };
  tx.emit(botAdded({ bot: toWireBot(bot, context.server.secret) }, { audience }));
  announceRoleGroups(tx, bot.user);
}
