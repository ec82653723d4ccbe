import { createHmac } from 'node:crypto';
import { record } from '#kernel/audit';
import type { RealmId, UserId } from '#kernel/ids';
import { sha256 } from '#kernel/secretbox';
import {
  col,
  type RawBuilder,
  type RealmReadTx,
  type RealmWriteTx,
  type RowOf,
  type SelectOf,
  sql,
  type SqlBool,
  table,
} from '#kernel/store';
import { keyOfBytes } from './api-keys.ts';

/** What a key allows: everything its owner may do, or only reading. */
export const KEY_SCOPES = ['all', 'read'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** A key that a program holds, or a password that a program exchanges for one. */
export const KEY_KINDS = ['device', 'app_password'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** Most keys that somebody may have besides the one of their account. */
export const MAX_DEVICE_KEYS = 50;

/**
 * Keys of people's devices, and keys derived from app passwords; an account's own key is derived and not stored.
 * Only hashes are stored: a key has 190 bits and an app password 99, so a slow hash would add nothing.
 */
const deviceKey = table('device_key', {
  id: col.id<number>(),
  realm_id: col.ref<RealmId>(),
  user_id: col.ref<UserId>(),
  kind: col.text<KeyKind>(),
  name: col.text(),
  scope: col.text<KeyScope>(),
  key_hash: col.text(),
  created_at: col.int(),
  /** Null: never. */
  ends_at: col.intOrNull(),
});
export type DeviceKeyRow = SelectOf<typeof deviceKey>;

/** When and from where keys were last used. A table of its own, so that writing it does not end cached rows of keys. */
const deviceKeyUse = table('device_key_use', {
  key_id: col.int(),
  realm_id: col.ref<RealmId>(),
  last_used_at: col.int(),
  address: col.text(),
});

declare module '#kernel/store' {
  interface Tables {
    device_key: RowOf<typeof deviceKey>;
    device_key_use: RowOf<typeof deviceKeyUse>;
  }
}

/** A key with what is known of its last use. */
export interface UsedKey extends DeviceKeyRow {
  readonly last_used_at: number | null;
  readonly address: string | null;
}

/** Letters and digits of an app password, without those that look alike. */
const PASSWORD_LETTERS = /[a-hjkmnp-z2-9]/g;
const PASSWORD_LENGTH = 20;

/** A password for one app: five groups of four lower-case letters and digits, as people type it into a phone. */
export function newAppPassword(token: (length: number) => string): string {
  let letters = '';
  while (letters.length < PASSWORD_LENGTH) letters += (token(80).match(PASSWORD_LETTERS) ?? []).join('');
  return (letters.slice(0, PASSWORD_LENGTH).match(/.{4}/g) ?? []).join('-');
}

/**
 * The API key of an app password; undefined for a text that cannot be one. It is derived from the password, the account
 * and the server secret, so it is the same each time, and neither is stored.
 */
export function keyOfAppPassword(secret: string, userId: UserId, typed: string): string | undefined {
  const letters = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  if (letters.length !== PASSWORD_LENGTH || (letters.match(PASSWORD_LETTERS) ?? []).length !== PASSWORD_LENGTH)
    return undefined;
  return keyOfBytes(createHmac('sha512', secret).update(`app-password:${userId}:${letters}`).digest());
}

/** The stored hash of a key. */
export function hashOfKey(key: string): string {
  return sha256(key);
}

/** Whether a key has expired. */
export function isOver({ ends_at: end }: DeviceKeyRow, now: number): boolean {
  return end !== null && end <= now;
}

/** Finds the owner of a device key; expired keys are found, too. */
export function findDeviceKey(tx: RealmReadTx, key: string): Promise<DeviceKeyRow | undefined> {
  return tx.db
    .selectFrom('device_key')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('key_hash', '=', hashOfKey(key))
    .executeTakeFirst();
}

/** Somebody's keys that have not expired, newest first. */
export function listDeviceKeys(tx: RealmReadTx, userId: UserId): Promise<readonly UsedKey[]> {
  return tx.db
    .selectFrom('device_key')
    .leftJoin('device_key_use', 'device_key_use.key_id', 'device_key.id')
    .selectAll('device_key')
    .select(['device_key_use.last_used_at', 'device_key_use.address'])
    .where('device_key.realm_id', '=', tx.realmId)
    .where('device_key.user_id', '=', userId)
    .where((where) => where.or([where('ends_at', 'is', null), where('ends_at', '>', tx.now)]))
    .orderBy('device_key.id', 'desc')
    .limit(MAX_DEVICE_KEYS)
    .execute();
}

/** Stores a key, deletes expired keys of its owner, and returns the new key's ID. */
export async function insertDeviceKey(tx: RealmWriteTx, row: Omit<DeviceKeyRow, 'id' | 'created_at'>): Promise<number> {
  const { user_id, kind, name, scope, ends_at } = row;
  await deleteKeysWhere(tx, user_id, 'over');
  const made = await tx.db
    .insertInto('device_key')
    .values({ ...row, created_at: tx.now })
    .returning('id')
    .executeTakeFirstOrThrow();
  record(tx, {
    action: 'device_key.added',
    target: { kind: 'user', id: user_id },
    after: { device_key: made.id, kind, name, scope, ends_at: ends_at },
  });
  return made.id;
}

/** Whether a column names no device key, or one that has not ended. */
export function isWithKey(tx: RealmReadTx, column: string): RawBuilder<SqlBool> {
  const key = sql.ref(column);
  return sql<SqlBool>`(${key} is null or exists (select 1 from device_key k
    where k.realm_id = ${tx.realmId} and k.id = ${key} and (k.ends_at is null or k.ends_at > ${tx.now})))`;
}

/** Ends one key of somebody; false when they have none of this ID. */
export async function deleteDeviceKey(tx: RealmWriteTx, userId: UserId, id: number): Promise<boolean> {
  return (await deleteKeysWhere(tx, userId, id)) > 0;
}

/** Ends all keys of somebody but the one of their account. */
export async function deleteDeviceKeysOf(tx: RealmWriteTx, userId: UserId): Promise<void> {
  await deleteKeysWhere(tx, userId, 'all');
}

async function deleteKeysWhere(tx: RealmWriteTx, user_id: UserId, which: number | 'all' | 'over'): Promise<number> {
  let gone = tx.db.deleteFrom('device_key').where('realm_id', '=', tx.realmId).where('user_id', '=', user_id);
  if (which === 'over') gone = gone.where('ends_at', '<=', tx.now);
  else if (which !== 'all') gone = gone.where('id', '=', which);
  const rows = await gone.returning(['id', 'name']).execute();
  for (const { id, name } of rows)
    record(tx, {
      action: 'device_key.ended',
      target: { kind: 'user', id: user_id },
      before: { device_key: id, name },
    });
  if (rows.length > 0)
    await tx.db
      .deleteFrom('device_key_use')
      .where('realm_id', '=', tx.realmId)
      .where(
        tx.dialect.anyOf(
          'key_id',
          rows.map(({ id }) => id),
        ),
      )
      .execute();
  return rows.length;
}
