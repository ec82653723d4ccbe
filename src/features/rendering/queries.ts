import type { LinkableChannel, MentionableGroup, MentionableUser } from '#kernel/markdown';
import { cachedQuery, compiled, type RealmReadTx, sql } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { emojiUrl } from './addresses.ts';

/** Finds users that a text may mention, by full name, ignoring case, or by ID. */
export async function mentionableUsers(
  tx: RealmReadTx,
  names: readonly string[],
  ids: readonly number[],
): Promise<readonly MentionableUser[]> {
  if (names.length === 0) return [];
  // The databases lower ASCII letters only, so other letters are looked for in each possible case.
  const lowered = new Set(names.flatMap((name) => [name, name.toLowerCase(), foldCase(name)].map(lowerAscii)));
  return mentionable(tx, [...lowered], ids);
}

const mentionable = cachedQuery(
  ['user'],
  compiled(
    ({ realmId, dialect }, names: readonly string[], ids: readonly number[]) => sql<MentionableUser>`
    select id as user_id, full_name, is_active from "user"
      where realm_id = ${realmId} and ${dialect.anyOfText(sql`lower(full_name)`, names)}
    union
    select id as user_id, full_name, is_active from "user"
      where realm_id = ${realmId} and ${dialect.anyOf('id', ids)}`,
  ),
);

function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Finds groups that a text may mention, by name, ignoring case. */
export async function mentionableGroups(
  tx: RealmReadTx,
  names: readonly string[],
): Promise<readonly MentionableGroup[]> {
  if (names.length === 0) return [];
  const rows = await tx.db
    .selectFrom('user_group')
    .select(['id', 'name', 'group_kind', 'deactivated'])
    .where('realm_id', '=', tx.realmId)
    .where('group_kind', '!=', 'anonymous')
    .where(tx.dialect.anyOfText('name_key', names.map(foldCase)))
    .execute();
  return rows.map(({ id, name, group_kind, deactivated }) => ({
    id,
    name,
    is_system_group: group_kind === 'system',
    deactivated,
  }));
}

/** Finds channels that everybody may know of. */
export async function publicChannels(tx: RealmReadTx, names: readonly string[]): Promise<readonly LinkableChannel[]> {
  if (names.length === 0) return [];
  return tx.db
    .selectFrom('channel')
    .select(['id as stream_id', 'name'])
    .where('realm_id', '=', tx.realmId)
    .where('invite_only', '=', false)
    .where(tx.dialect.anyOfText('name', names))
    .execute();
}

/** Addresses of the organization's active emoji, by name. */
export async function activeEmoji(tx: RealmReadTx): Promise<ReadonlyMap<string, { readonly source_url: string }>> {
  const rows = await tx.db
    .selectFrom('realm_emoji')
    .select(['name', 'file_name'])
    .where('realm_id', '=', tx.realmId)
    .where('deactivated', '=', false)
    .execute();
  return new Map(rows.map((row) => [row.name, { source_url: emojiUrl(tx.realmId, row.file_name) }]));
}
