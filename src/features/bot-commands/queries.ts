import type { UserId } from '#kernel/ids';
import { compiled, type RealmWriteTx, type WriteTx } from '#kernel/store';
import type { BotCommandId, BotCommandRow } from './tables.ts';

/** The commands of an organization, oldest first. */
export const listCommands = compiled(({ db, realmId }) =>
  db.selectFrom('bot_command').selectAll().where('realm_id', '=', realmId).orderBy('id'),
);

/** The command with a name, if there is one. */
const findCommands = compiled(({ db, realmId }, name: string) =>
  db.selectFrom('bot_command').selectAll().where('realm_id', '=', realmId).where('command_name', '=', name),
);

export function insertCommand(tx: WriteTx, row: Omit<BotCommandRow, 'id'>): Promise<BotCommandRow> {
  return tx.db.insertInto('bot_command').values(row).returningAll().executeTakeFirstOrThrow();
}

export async function setCommand(
  tx: WriteTx,
  { realm_id, id }: BotCommandRow,
  values: Pick<BotCommandRow, 'description' | 'usage_hint'>,
): Promise<void> {
  await tx.db.updateTable('bot_command').set(values).where('realm_id', '=', realm_id).where('id', '=', id).execute();
}

export async function deleteCommand(tx: RealmWriteTx, id: BotCommandId): Promise<void> {
  await tx.db.deleteFrom('bot_command').where('realm_id', '=', tx.realmId).where('id', '=', id).execute();
}

/** Returns the bot that registered a command of this name, or undefined if there is none. */
export async function findBotOfCommand(tx: RealmWriteTx, name: string): Promise<UserId | undefined> {
  const [row] = await findCommands(tx, name);
  return row?.bot_id;
}
