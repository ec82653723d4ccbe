import type { ChannelId, UserId } from '#kernel/ids';
import { type RealmReadTx, type RealmWriteTx, sql, type WriteTx } from '#kernel/store';
import type { UserRow } from '#features/users';
import type { BotRow } from './tables.ts';

const bots = (tx: RealmReadTx) => tx.db.selectFrom('bot').selectAll().where('realm_id', '=', tx.realmId);

/** All bots of the organization, deactivated ones included, by ID. */
export function listBotUsers(tx: RealmReadTx): Promise<readonly UserRow[]> {
  return tx.db
    .selectFrom('user')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('is_bot', '=', true)
    .where('is_system_bot', '=', false)
    .orderBy('id')
    .execute();
}

/** Names of the active bots, system bots included. */
export async function listBotNames(
  tx: RealmReadTx,
): Promise<readonly { readonly id: UserId; readonly full_name: string }[]> {
  return tx.db
    .selectFrom('user')
    .select(['id', 'full_name'])
    .where('realm_id', '=', tx.realmId)
    .where('is_bot', '=', true)
    .where('is_active', '=', true)
    .execute();
}

/** Returns the bot rows of these accounts, by ID; a bot that has only default values may have none. */
export async function findBots(tx: RealmReadTx, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, BotRow>> {
  if (ids.length === 0) return new Map();
  const rows = await bots(tx).where(tx.dialect.anyOf('user_id', ids)).execute();
  return new Map(rows.map((row) => [row.user_id, row]));
}

/** Bots that have this channel as a default for sending or for events. */
export function botsByDefaultOf(tx: RealmReadTx, channelId: ChannelId): Promise<readonly BotRow[]> {
  return bots(tx)
    .where((where) =>
      where.or([
        where('default_sending_stream_id', '=', channelId),
        where('default_events_register_stream_id', '=', channelId),
      ]),
    )
    .orderBy('user_id')
    .execute();
}

/** Inserts a bot's row unless there is one. */
export async function ensureBot(tx: WriteTx, row: BotRow): Promise<void> {
  await tx.db
    .insertInto('bot')
    .values({ ...row, config_data: JSON.stringify(row.config_data) })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
}

/** Stores that the owner is alerted now; false if the last alert was after `since`. */
export async function noteAlert(tx: RealmWriteTx, id: UserId, since: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('bot')
    .set({ alerted_at: tx.now })
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', id)
    .where('alerted_at', '<=', since)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Clears a channel from the defaults of these bots. */
export async function clearDefaults(tx: RealmWriteTx, channelId: ChannelId, ids: readonly UserId[]): Promise<void> {
  const cleared = (column: string) =>
    sql<ChannelId | null>`case when ${sql.ref(column)} = ${channelId} then null else ${sql.ref(column)} end`;
  await tx.db
    .updateTable('bot')
    .set({
      default_sending_stream_id: cleared('default_sending_stream_id'),
      default_events_register_stream_id: cleared('default_events_register_stream_id'),
    })
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('user_id', ids))
    .execute();
}

/** Inserts or replaces a bot's row. */
export async function putBot(tx: WriteTx, row: BotRow): Promise<void> {
  const { user_id, realm_id, ...rest } = row;
  const values = { ...rest, config_data: JSON.stringify(row.config_data) };
  await tx.db
    .insertInto('bot')
    .values({ user_id, realm_id, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}
