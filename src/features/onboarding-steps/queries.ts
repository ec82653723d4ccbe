import type { ActorReadTx, ActorWriteTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { compiled } from '#kernel/store';

/** Names of the hints that the actor has read. */
export async function readSteps(tx: ActorReadTx): Promise<ReadonlySet<string>> {
  const rows = await stepsOf(tx, tx.actor.userId);
  return new Set(rows.map((row) => row.step_name));
}

const stepsOf = compiled(({ db, realmId }, userId: UserId) =>
  db.selectFrom('onboarding_step').select('step_name').where('realm_id', '=', realmId).where('user_id', '=', userId),
);

/** Records that the actor has read a hint; returns false if it was recorded before. */
export async function insertStep(tx: ActorWriteTx, step_name: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('onboarding_step')
    .values({ realm_id: tx.realmId, user_id: tx.actor.userId, step_name, read_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
