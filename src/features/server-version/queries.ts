import type { ReadTx, WriteTx } from '#kernel/store';
import type { ServerVersion } from './tables.ts';

/** ID of the only row. */
const ID = 1;

/**
 * Stores a version that differs from the stored one; returns false if it is the same. Of simultaneous calls exactly one
 * stores it.
 */
export async function replaceVersion(tx: WriteTx, version: Omit<ServerVersion, 'id'>): Promise<boolean> {
  const replaced = await tx.db
    .insertInto('server_version')
    .values({ id: ID, ...version })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(version)
        .where((is) =>
          is.or([
            is('server_version.zulip_version', '<>', version.zulip_version),
            is('server_version.feature_level', '<>', version.feature_level),
            is('server_version.roost_version', '<>', version.roost_version),
          ]),
        ),
    )
    .returning('id')
    .executeTakeFirst();
  return replaced !== undefined;
}

/** Unix time at which the stored version first started. */
export async function readSince(tx: ReadTx): Promise<number> {
  const { since } = await tx.db
    .selectFrom('server_version')
    .select('since')
    .where('id', '=', ID)
    .executeTakeFirstOrThrow();
  return since;
}
