import type { RealmRefReadTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { readRealm, settingsOf } from '#features/realms';
import { apiEmail, listUsers, type UserRow } from '#features/users';

/** The facts about a person that presence needs. */
export interface Person {
  readonly user_id: UserId;
  /** The address that the API shows. */
  readonly email: string;
  readonly date_joined: number;
  /** False in invisible mode: pings are not recorded. */
  readonly isShown: boolean;
  readonly last_active_at: number;
}

/** The active people of an organization, and its settings of presence. */
export interface RealmPeople {
  readonly byId: ReadonlyMap<UserId, Person>;
  /** Active users, bots included. */
  readonly activeUsers: number;
  readonly isDisabled: boolean;
}

/** Reads an organization's people. */
export async function readPeople(tx: RealmRefReadTx): Promise<RealmPeople> {
  const active = (await listUsers(tx)).filter((row) => row.is_active && !row.is_system_bot);
  const host = tx.realm.host;
  return {
    byId: new Map(active.filter((row) => !row.is_bot).map((row) => [row.id, toPerson(row, host)])),
    activeUsers: active.length,
    isDisabled: settingsOf(await readRealm(tx)).presence_disabled,
  };
}

export function toPerson(row: UserRow, host: string): Person {
  return {
    user_id: row.id,
    email: apiEmail(row, host),
    date_joined: row.date_joined,
    isShown: isShown(row),
    last_active_at: row.last_active_at,
  };
}

/** Whether somebody's presence is recorded: the personal setting `presence_enabled`, true by default. */
export function isShown(row: Pick<UserRow, 'user_settings'>): boolean {
  return row.user_settings['presence_enabled'] !== false;
}
