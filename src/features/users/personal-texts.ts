import type { ActorWriteTx } from '#kernel/auth';
import { apiError } from '#kernel/errors';
import { sql, type Tables } from '#kernel/store';
import { lockUser } from './changes/queries.ts';

/** A kind of texts that people store for themselves. Lists and the register response contain all of them. */
export interface PersonalTexts {
  /** Its table, which has `id`, `realm_id` and `user_id`. */
  readonly table: keyof Tables;
  /** Its columns of text. */
  readonly texts: readonly string[];
  /** Column that is null while a text is listed; undefined if all are listed. */
  readonly pending?: string;
  /** The kind's name for users. */
  readonly name: string;
}

/** Most texts of a kind, and most characters in all of them, so that an answer with all of them stays small. */
const MAX_TEXTS = 1000;
const MAX_CHARACTERS = 1_000_000;

/** The person has as many texts as allowed. */
export const TooManyTexts = apiError<Record<never, never>, { name: string }>({
  message: ({ name }) => `You can have at most ${MAX_TEXTS} ${name}, with at most ${MAX_CHARACTERS} characters in all.`,
});

/**
 * Throws if the actor has no room for texts beside the existing ones or, with `replaced`, in place of one. Locks the
 * account, so that simultaneous requests do not each see the same free room. @throws TooManyTexts
 */
export async function assertRoom(
  tx: ActorWriteTx,
  { table, texts, pending, name }: PersonalTexts,
  added: readonly (readonly string[])[],
  replaced = 0,
): Promise<void> {
  const { realmId, userId } = tx.actor;
  await lockUser(tx, userId);
  const lengths = sql.join(
    texts.map((column) => sql`length(${sql.ref(column)})`),
    sql` + `,
  );
  const { rows } = await sql<{ texts: number; characters: number }>`
    select count(*) as texts, coalesce(sum(${lengths}), 0) as characters from ${sql.table(table)}
    where realm_id = ${realmId} and user_id = ${userId} and id <> ${replaced}
    ${pending === undefined ? sql`` : sql`and ${sql.ref(pending)} is null`}`.execute(tx.db);
  const [found] = rows;
  const characters = added.flat().reduce((sum, text) => sum + text.length, Number(found?.characters));
  if (Number(found?.texts) + added.length > MAX_TEXTS || characters > MAX_CHARACTERS) throw TooManyTexts({ name });
}
