import type { UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { readRealm, settingsOf } from '#features/realms';
import { listUsers } from './lists/queries.ts';

/** Shortest and longest name, in code points. See protocol/users#names. */
const MIN_NAME = 2;
const MAX_NAME = 100;

/**
 * Characters that change the order in which others are shown: with them, any name can look like any other of the same
 * letters.
 */
const REORDERS = /[\u202a-\u202e\u2066-\u2069]/u;

/** What is wrong with the trimmed name of a person or bot. See protocol/users#names. */
export function nameFault(name: string): string | undefined {
  const length = [...name].length;
  if (length > MAX_NAME) return 'Name too long!';
  if (length < MIN_NAME) return 'Name too short!';
  if (/[\p{Cc}\p{Cs}*`\\>"@]/u.test(name)) return 'Invalid characters in name!';
  if (/\|\d+$/.test(name)) return 'Invalid format!';
  return undefined;
}

/**
 * What is wrong with the trimmed name of a person in this organization, which may require names to be unique. See
 * protocol/users#names.
 */
export async function nameRefusal(tx: RealmReadTx, name: string, besides?: UserId): Promise<string | undefined> {
  const fault = nameFault(name);
  if (fault !== undefined) return fault;
  return uniquenessFault(tx, name, besides);
}

/** What is wrong with a name if the organization requires names to be unique. See protocol/users#names. */
export async function uniquenessFault(tx: RealmReadTx, name: string, besides?: UserId): Promise<string | undefined> {
  const { require_unique_names } = settingsOf(await readRealm(tx));
  if (!require_unique_names) return undefined;
  if (REORDERS.test(name)) return 'Invalid characters in name!';
  return (await isNameTaken(tx, name, besides)) ? 'Unique names required in this organization.' : undefined;
}

/** Whether another active account has a name that looks the same. */
async function isNameTaken(tx: RealmReadTx, name: string, besides?: UserId): Promise<boolean> {
  const key = sameName(name);
  const users = await listUsers(tx);
  return users.some((user) => user.is_active && user.id !== besides && sameName(user.full_name) === key);
}

/** The name without letter case, character widths, invisible characters, and differences in white space. */
function sameName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cn}]/gu, '')
    .replace(/[\s\u2800]+/gu, ' ')
    .trim()
    .toLowerCase()
    .toUpperCase()
    .toLowerCase();
}
