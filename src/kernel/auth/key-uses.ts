import type { RealmId } from '#kernel/ids';
import { onceFor } from '#kernel/lists';
import { inChunks, type WriteTx } from '#kernel/store';

/** The last use of a key that is not written down yet. */
export interface KeyUse {
  readonly key_id: number;
  readonly realm_id: RealmId;
  readonly last_used_at: number;
  readonly address: string;
}

/** Most keys whose use is remembered between two writes; uses of further keys are not recorded. */
const MAX_REMEMBERED = 20_000;
/** Rows of one statement. */
const CHUNK = 500;

/** Uses that each server has not written yet; the object stands for the server. */
const usesOf = onceFor((_server: object) => new Map<number, KeyUse>());

/** Remembers that a key was used, without writing: all uses of a minute are one write. */
export function noteKeyUse(server: object, use: KeyUse): void {
  const uses = usesOf(server);
  if (uses.size < MAX_REMEMBERED || uses.has(use.key_id)) uses.set(use.key_id, use);
}

/** The use of a key that is not written yet. */
export function notedKeyUse(server: object, keyId: number): KeyUse | undefined {
  return usesOf(server).get(keyId);
}

/** Returns and clears the remembered uses, so that they can be written. */
export function takeKeyUses(server: object): readonly KeyUse[] {
  const uses = usesOf(server);
  const taken = [...uses.values()];
  uses.clear();
  return taken;
}

/** Writes uses down; those of keys that have ended meanwhile are left out. */
export async function writeKeyUses(tx: WriteTx, uses: readonly KeyUse[]): Promise<void> {
  for (const chunk of inChunks(uses, CHUNK)) {
    const living = await tx.db
      .selectFrom('device_key')
      .select('id')
      .where(
        tx.dialect.anyOf(
          'id',
          chunk.map(({ key_id }) => key_id),
        ),
      )
      .execute();
    const ids = new Set(living.map(({ id }) => id));
    const rows = chunk.filter(({ key_id }) => ids.has(key_id));
    if (rows.length === 0) continue;
    await tx.db
      .insertInto('device_key_use')
      .values([...rows])
      .onConflict((conflict) =>
        conflict
          .column('key_id')
          .doUpdateSet((set) => ({
            last_used_at: set.ref('excluded.last_used_at'),
            address: set.ref('excluded.address'),
          }))
          .whereRef('device_key_use.last_used_at', '<', 'excluded.last_used_at'),
      )
      .execute();
  }
}
