import type { Actor, ActorReadTx } from '#kernel/auth';
import type { UploadedFile } from '#kernel/endpoint';
import { AdministratorRequired, OwnerRequired } from '#kernel/errors';
import { lockLog } from '#kernel/events';
import type { ChannelId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { isAdministrator, isOwner, Role, ROLES } from '#kernel/permissions';
import type { RealmReadTx } from '#kernel/store';
import { storeAvatar } from '#features/avatars';
import { receivePicture } from '#features/pictures';
import { findUser, lockUser, type UserRow } from '#features/users';
import { accessBot, accessChannelByName, assertNameFree, botName } from './access.ts';
import { apply } from './apply-change.ts';
import { BotOwnerDeactivated, BotOwnerIsBot, InvalidRole, NoSuchBotOwner, OneFileAtATime } from './errors.ts';
import { renewKey } from './keys.ts';
import { type Bot, readBot } from './read.ts';
import { assertInterface } from './rules.ts';
import type { BotRow } from './tables.ts';

/** The request to change a bot; undefined means no change. */
export interface BotChange {
  readonly bot_id: UserId;
  readonly full_name: string | undefined;
  readonly role: number | undefined;
  readonly bot_owner_id: UserId | undefined;
  readonly config_data: Readonly<Record<string, string>> | undefined;
  readonly service_payload_url: string | undefined;
  readonly service_interface: number | undefined;
  readonly default_sending_stream: string | undefined;
  readonly default_events_register_stream: string | undefined;
  readonly default_all_public_streams: boolean | undefined;
  readonly avatar: UploadedFile | undefined;
}

/** A change after all checks. */
export interface CheckedChange {
  readonly fullName: string;
  readonly role: number;
  readonly owner: UserRow | undefined;
  readonly row: BotRow;
}

/** Changes a bot, or nothing if one part is refused. See protocol/bots#operations. */
export async function updateBot(context: Context, actor: Actor, change: BotChange): Promise<Bot> {
  const { bot_id: id, avatar: file } = change;
  await context.store.as(actor).read(async (tx) => {
    await check(tx, await readBot(tx, await accessBot(tx, id)), change);
  });
  const picture = file && (await context.images.makeAvatar(await receivePicture(file, OneFileAtATime), actor.userId));
  const after = await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const bot = await readBot(tx, await accessBot(tx, id));
    const checked = await check(tx, bot, change);
    const changed = await apply(context, tx, bot, checked);
    // A bot may post where its owner may: whoever gave it away must not keep its key. A key that somebody else may have,
    // administrators can renew.
    if (checked.owner && (!isAdministrator(actor) || bot.user.bot_owner_id === actor.userId))
      await renewKey(context, tx, await lockUser(tx, id));
    return changed;
  });
  if (!picture) return after;
  return { ...after, user: await storeAvatar(context, { realm: actor.realm, userId: id }, picture) };
}

async function check(tx: ActorReadTx, { user, row }: Bot, change: BotChange): Promise<CheckedChange> {
  const fullName = change.full_name === undefined ? user.full_name : botName(change.full_name);
  if (fullName !== user.full_name) await assertNameFree(tx, fullName, user.id);
  const role = checkedRole(tx.actor, user, change.role);
  const owner = await newOwner(tx, user, change.bot_owner_id);
  if (change.service_interface !== undefined) assertInterface(change.service_interface);
  const channel = (name: string | undefined, now: ChannelId | null) => channelId(tx, name, now);
  const checked = {
    ...row,
    base_url: change.service_payload_url ?? row.base_url,
    service_interface: change.service_interface ?? row.service_interface,
    config_data: change.config_data ?? row.config_data,
    default_sending_stream_id: await channel(change.default_sending_stream, row.default_sending_stream_id),
    default_events_register_stream_id: await channel(
      change.default_events_register_stream,
      row.default_events_register_stream_id,
    ),
    default_all_public_streams: change.default_all_public_streams ?? row.default_all_public_streams,
  };
  return { fullName, role, owner, row: checked };
}

/**
 * Only administrators give roles, and only owners give or take that of an owner: otherwise a bot would be a way to more
 * rights.
 */
function checkedRole(actor: Actor, user: UserRow, wanted: number | undefined): number {
  if (wanted === undefined || wanted === user.role) return user.role;
  if (!ROLES.some((role) => role === wanted)) throw InvalidRole();
  if (!isAdministrator(actor)) throw AdministratorRequired();
  if ((wanted === Role.owner || isOwner(user)) && !isOwner(actor)) throw OwnerRequired();
  return wanted;
}

/** Returns the new owner; undefined if the owner does not change. */
async function newOwner(tx: RealmReadTx, bot: UserRow, ownerId: UserId | undefined): Promise<UserRow | undefined> {
  if (ownerId === undefined || ownerId === bot.bot_owner_id) return undefined;
  const owner = await findUser(tx, ownerId);
  if (!owner || owner.is_system_bot) throw NoSuchBotOwner();
  if (!owner.is_active) throw BotOwnerDeactivated();
  if (owner.is_bot) throw BotOwnerIsBot();
  return owner;
}

/** An empty name means no channel. */
async function channelId(tx: ActorReadTx, name: string | undefined, now: ChannelId | null): Promise<ChannelId | null> {
  if (name === undefined) return now;
  return name === '' ? null : (await accessChannelByName(tx, name)).id;
}
