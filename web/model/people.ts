import { applyProfileEvent } from '#features/profile-fields/apply';
import { applyUserEvent } from '#features/users/apply';
import type { WireUser } from '../../src/features/users/wire.ts';
import type { RegisterState } from './register.ts';
import { Table } from './table.ts';

type PeopleState = Pick<RegisterState, 'realm_users' | 'realm_non_active_users' | 'cross_realm_bots'>;
type UserEvent = Parameters<typeof applyUserEvent>[1];

/** A person or bot, and whether the account is active. */
export interface Person {
  readonly user: WireUser;
  readonly isActive: boolean;
}

/** All people that the viewer may see. */
export class People {
  readonly table = new Table<Person>();

  load(state: Partial<PeopleState>): void {
    const rows = (users: readonly WireUser[] = [], isActive: boolean) =>
      users.map((user) => [user.user_id, { user, isActive }] as const);
    this.table.load([
      ...rows(state.cross_realm_bots, true),
      ...rows(state.realm_non_active_users, false),
      ...rows(state.realm_users, true),
    ]);
  }

  /** Applies a `realm_user` event to the row of its person; returns the changes to fields about `me`. */
  apply(event: UserEvent, me: number): Readonly<Record<string, unknown>> {
    const id = event.person.user_id;
    const { realm_users, realm_non_active_users, ...own } = applyAll(this.#rowsOf([id]), event, me);
    this.#replace([id], realm_users, realm_non_active_users);
    return own;
  }

  /** Removes profile values that became invalid when the organization changed its profile fields. */
  applyFields(event: object): void {
    const ids = [...this.table.peekAll().keys()];
    const { realm_users, realm_non_active_users } = { ...this.#rowsOf(ids), ...applyProfile(this.#rowsOf(ids), event) };
    this.#replace(ids, realm_users, realm_non_active_users);
  }

  #rowsOf(ids: readonly number[]): UserLists {
    const rows = ids.flatMap((id) => this.table.peek(id) ?? []);
    return {
      realm_users: rows.filter((row) => row.isActive).map((row) => row.user),
      realm_non_active_users: rows.filter((row) => !row.isActive).map((row) => row.user),
    };
  }

  #replace(ids: readonly number[], active: readonly WireUser[], gone: readonly WireUser[]): void {
    const known = new Set([...active, ...gone].map((user) => Number(user.user_id)));
    for (const user of active) this.#set(user, true);
    for (const user of gone) this.#set(user, false);
    for (const id of ids) if (!known.has(id)) this.table.delete(id);
  }

  #set(user: WireUser, isActive: boolean): void {
    const before = this.table.peek(user.user_id);
    if (before?.user !== user || before.isActive !== isActive) this.table.set(user.user_id, { user, isActive });
  }
}

interface UserLists {
  readonly realm_users: readonly WireUser[];
  readonly realm_non_active_users: readonly WireUser[];
}

/** Applies the functions of both slices in turn, each to the result of the one before. */
function applyAll(lists: UserLists, event: UserEvent, me: number): UserLists & Readonly<Record<string, unknown>> {
  const after = { ...lists, ...applyUserEvent(lists, event, me) };
  return { ...after, ...applyProfile(after, { type: 'realm_user', ...event }) };
}

/** Erases the types, because events come from the wire. */
function applyProfile(lists: UserLists, event: object): Partial<UserLists> {
  return applyProfileEvent({ custom_profile_fields: [], ...lists } as never, event as never) as Partial<UserLists>;
}
