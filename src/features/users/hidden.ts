import type { RealmRef } from '#kernel/auth';
import type { Hidden } from '#kernel/events';
import { isGuest } from '#kernel/permissions';
import type { ReadTx } from '#kernel/store';
import { listAcquaintances, listBotIds } from './queries.ts';
import type { UserRow } from './tables.ts';

/**
 * Whom an account may not know of, where the organization does not let guests know everybody: people with whom a guest
 * shares no channel and no direct conversation. Undefined for almost everybody. Contract register 4.1, SEES.
 */
export async function hiddenFrom(
  tx: ReadTx,
  realm: Pick<RealmRef, 'id' | 'restrictsGuests'>,
  account: Pick<UserRow, 'id' | 'role'>,
  host: string,
): Promise<Hidden | undefined> {
  if (!realm.restrictsGuests || !isGuest(account)) return undefined;
  const acquaintances = await listAcquaintances(tx, realm.id, [account.id]);
  const bots = await listBotIds(tx, realm.id);
  const known = new Set<number>([account.id, ...bots, ...acquaintances.map((one) => one.user_id)]);
  return { has: (id) => !known.has(id), host };
}
