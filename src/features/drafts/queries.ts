import type { ActorReadTx, ActorWriteTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { compiled, inChunks, type RealmWriteTx } from '#kernel/store';
import type { DraftId, DraftRow } from './tables.ts';

/** The columns that the author determines. */
export type DraftContent = Omit<DraftRow, 'id' | 'realm_id' | 'user_id'>;

const mine = (tx: ActorReadTx) =>
  tx.db.selectFrom('draft').selectAll().where('realm_id', '=', tx.realmId).where('user_id', '=', tx.actor.userId);

/** The actor's drafts, the one edited longest ago first. */
export function listDrafts(tx: ActorReadTx): Promise<readonly DraftRow[]> {
  return mine(tx).orderBy('edited_at').orderBy('id').execute();
}

/** Most drafts in the register response. See protocol/saved#drafts. */
const MAX_REGISTERED = 1000;

/** The drafts edited last, the newest edit first. */
export const newestDrafts = compiled(({ db, realmId }, userId: UserId) =>
  db
    .selectFrom('draft')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .orderBy('edited_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_REGISTERED),
);

const INSERT_CHUNK = 500;

/** Stores drafts of the actor; returns the rows in the same order. */
export async function insertDrafts(tx: ActorWriteTx, drafts: readonly DraftContent[]): Promise<readonly DraftRow[]> {
  const rows: DraftRow[] = [];
  for (const chunk of inChunks(drafts, INSERT_CHUNK)) {
    const values = chunk.map((one) => ({
      ...one,
      draft_to: JSON.stringify(one.draft_to),
      realm_id: tx.realmId,
      user_id: tx.actor.userId,
    }));
    rows.push(...(await tx.db.insertInto('draft').values(values).returningAll().execute()));
  }
  return rows.toSorted((a, b) => a.id - b.id);
}

export function findDraft(tx: ActorReadTx, id: DraftId): Promise<DraftRow | undefined> {
  return mine(tx).where('id', '=', id).executeTakeFirst();
}

export async function setDraft(tx: ActorWriteTx, id: DraftId, { draft_to, ...values }: DraftContent): Promise<void> {
  await tx.db
    .updateTable('draft')
    .set({ ...values, draft_to: JSON.stringify(draft_to) })
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where('id', '=', id)
    .execute();
}

/** Deletes a draft of the actor; false if there is none with this ID. */
export async function deleteDraft(tx: ActorWriteTx, id: DraftId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('draft')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes all drafts of these users. */
export async function deleteDraftsOf(tx: RealmWriteTx, userIds: readonly UserId[]): Promise<void> {
  await tx.db
    .deleteFrom('draft')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('user_id', userIds))
    .execute();
}
