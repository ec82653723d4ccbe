import type { UserId } from '#kernel/ids';
import { compiled, type RealmReadTx, type RealmWriteTx } from '#kernel/store';

/** Names of the hints that a user has read. */
export async function readSteps(tx: RealmReadTx, userId: UserId): Promise<ReadonlySet<string>> {
  const rows = await stepsOf(tx, userId);
  return new Set(rows.map((row) => row.step_name));
}

const stepsOf = compiled(({ db, realmId }, userId: UserId) =>
  db.selectFrom('onboarding_step').select('step_name').where('realm_id', '=', realmId).where('user_id', '=', userId),
);

/** Stores that a hint was read; false when that was known. */
export async function insertStep(tx: RealmWriteTx, userId: UserId, step_name: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('onboarding_step')
    .values({ realm_id: tx.realmId, user_id: userId, step_name, read_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
