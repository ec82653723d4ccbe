import { record } from '#kernel/audit';
import type { Actor } from '#kernel/auth';
import { deleteQueuesOf, lockLog } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { deactivateAccount } from '#features/accounts';
import type { RealmWriteTx } from '#kernel/store';
import { lockUser, setUser, type UserRow } from '#features/users';
import { accessBot } from './access.ts';
import { announceSettings } from './apply-change.ts';
import { keyOf, readBot } from './read.ts';

/** Replaces a bot's API key, for callers who may manage the bot; returns the new one. */
export function regenerateKey(context: Context, actor: Actor, id: UserId): Promise<string> {
  return context.store.as(actor).write(async (tx) => {
    await accessBot(tx, id);
    return renewKey(context, tx, await lockUser(tx, id));
  });
}

/**
 * Replaces a bot's API key and ends its event queues; the token of an outgoing webhook changes, too. The caller has
 * checked rights.
 */
export async function renewKey(context: Context, tx: RealmWriteTx, bot: UserRow): Promise<string> {
  const before = await readBot(tx, bot);
  const api_key_version = bot.api_key_version + 1;
  await setUser(tx, bot.id, { api_key_version });
  record(tx, { action: 'api_key.ended', target: { kind: 'user', id: bot.id, name: bot.full_name } });
  await deleteQueuesOf(tx, [bot.id]);
  const after = { ...before, user: { ...bot, api_key_version } };
  // Events do not carry the key: clients that may see it fetch it (protocol/bots#operations).
  announceSettings(context, tx, before, after);
  return keyOf(context.server.secret, after.user);
}

/** Deactivates a bot; doing so again changes nothing. See protocol/bots#operations. */
export async function removeBot(context: Context, actor: Actor, id: UserId): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    await accessBot(tx, id);
    const row = await lockUser(tx, id);
    if (row.is_active) await deactivateAccount(tx, id);
  });
}
