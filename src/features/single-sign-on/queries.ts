import type { RealmWriteTx, WriteTx } from '#kernel/store';
import type { SamlAnswerRow } from './tables.ts';

export async function insertSamlAnswer(tx: WriteTx, row: SamlAnswerRow): Promise<void> {
  await tx.db.deleteFrom('saml_answer').where('expires_at', '<=', tx.now).execute();
  await tx.db.insertInto('saml_answer').values(row).execute();
}

/** Takes an answer out of the table; of simultaneous calls exactly one gets it. */
export function deleteSamlAnswer(tx: RealmWriteTx, hash: string): Promise<SamlAnswerRow | undefined> {
  return tx.db
    .deleteFrom('saml_answer')
    .where('realm_id', '=', tx.realmId)
    .where('token_hash', '=', hash)
    .where('expires_at', '>', tx.now)
    .returningAll()
    .executeTakeFirst();
}
