import type { RealmRefWriteTx } from '#kernel/auth';
import { everyoneInRealm } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { isAdministrator } from '#kernel/permissions';
import type { RealmWriteTx } from '#kernel/store';
import { changeRole } from '#features/accounts';
import { findUser, realmUserUpdated, setUser, type UserRow } from '#features/users';
import { botAdded, botTakenAway, botUpdated } from './events.ts';
import { putBot } from './queries.ts';
import { type Bot, readBot, servicesOf, toWireBot, toWireSettings } from './read.ts';
import type { CheckedChange } from './update.ts';
import type { WireBot } from './wire.ts';

/** Stores a change that has been checked, and announces what is different. */
export async function apply(
  context: Context,
  tx: RealmRefWriteTx,
  before: Bot,
  { fullName, role, owner, row }: CheckedChange,
): Promise<Bot> {
  const { user } = before;
  if (fullName !== user.full_name) await rename(tx, user, fullName);
  if (role !== user.role) await changeRole(tx, user, role);
  await putBot(tx, row);
  if (owner) await setUser(tx, user.id, { bot_owner_id: owner.id });
  const after = await readBot(tx, {
    ...user,
    full_name: fullName,
    role,
    bot_owner_id: owner?.id ?? user.bot_owner_id,
  });
  announceSettings(context, tx, before, after);
  if (owner) await announceOwner(tx, before, owner, toWireBot(after, context.server.secret));
  return after;
}

async function rename(tx: RealmWriteTx, user: UserRow, full_name: string): Promise<void> {
  await setUser(tx, user.id, { full_name });
  const person = { user_id: user.id, full_name };
  const before = { full_name: user.full_name };
  tx.emit(realmUserUpdated({ person }, { audience: everyoneInRealm, before }));
}

/**
 * Emits one event with all settings that changed, to the owner before the change and administrators. See
 * protocol/events#organization.
 */
export function announceSettings(context: Context, tx: RealmWriteTx, before: Bot, after: Bot): void {
  const settings = (bot: Bot) => ({ ...toWireSettings(bot), services: servicesOf(bot, context.server.secret) });
  const old: Readonly<Record<string, unknown>> = settings(before);
  const changed: Partial<WireBot> = Object.fromEntries(
    Object.entries(settings(after)).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name])),
  );
  if (Object.keys(changed).length === 0) return;
  const audience = audienceOf(before.user.bot_owner_id);
  const former = Object.fromEntries(Object.keys(changed).map((name) => [name, old[name]]));
  const payload = { bot: { user_id: after.user.id, ...changed } };
  tx.emit(botUpdated(payload, { audience, before: former }));
}

function audienceOf(ownerId: UserId | null) {
  return { admins: true as const, ...(ownerId !== null && { users: [ownerId] }) };
}

/**
 * Administrators see the bot before and after; the former owner loses it and the new owner gets it. See
 * protocol/bots#operations.
 */
async function announceOwner(tx: RealmWriteTx, before: Bot, owner: UserRow, bot: WireBot): Promise<void> {
  const { id, bot_owner_id } = before.user;
  const former = bot_owner_id === null ? undefined : await findUser(tx, bot_owner_id);
  if (former && !isAdministrator(former))
    tx.emit(botTakenAway({ bot: { user_id: id } }, { audience: { users: [former.id] } }));
  if (!isAdministrator(owner)) tx.emit(botAdded({ bot }, { audience: { users: [owner.id] } }));
  const person = { user_id: id, bot_owner_id: owner.id };
  const options = { audience: everyoneInRealm, viewers: [id], before: { bot_owner_id } };
  tx.emit(realmUserUpdated({ person }, options));
}
