import type { WireUser } from './wire.ts';

/** The parts of a client's state about people, and about its own account. */
interface UsersState {
  readonly realm_users: readonly WireUser[];
  readonly realm_non_active_users: readonly WireUser[];
}

/** What changed about a user. */
type Change = Readonly<Record<string, unknown>> & { readonly user_id: number };

type UserEvent =
  | { readonly op: 'add'; readonly person: WireUser }
  | { readonly op: 'update'; readonly person: Change }
  | { readonly op: 'remove'; readonly person: { readonly user_id: number } };

/** Highest role number that has at least these rights. Api, Roles. */
const OWNER = 100;
const ADMINISTRATOR = 200;
const MODERATOR = 300;
const GUEST = 600;

/** The state after a `realm_user` event; `me` is the client's own account. */
export function applyUserEvent(state: UsersState, event: UserEvent, me: number): object {
  switch (event.op) {
    case 'add':
      return added(state, event.person);
    case 'remove':
      return {
        realm_users: without(state.realm_users, event.person.user_id),
        realm_non_active_users: without(state.realm_non_active_users, event.person.user_id),
      };
    case 'update':
      return { ...updated(state, event.person), ...(event.person.user_id === me && ownFields(event.person)) };
  }
}

/**
 * In the state, people have profile data and bots have none, and the list that a user is in tells whether they are
 * active.
 */
function added(state: UsersState, person: WireUser): UsersState {
  const left = person.is_bot ? ['is_active', 'profile_data'] : ['is_active'];
  const user: WireUser = { ...person };
  for (const name of left) Reflect.deleteProperty(user, name);
  return { ...state, realm_users: byId([...without(state.realm_users, person.user_id), user]) };
}

function updated(state: UsersState, change: Change): UsersState {
  const patch = (users: readonly WireUser[]) =>
    users.map((user) => (user.user_id === change.user_id ? { ...user, ...listedFields(change) } : user));
  const active = patch(state.realm_users);
  const gone = patch(state.realm_non_active_users);
  if (change['is_active'] === undefined) return { realm_users: active, realm_non_active_users: gone };
  const users = byId([...active, ...gone].filter((user) => user.user_id === change.user_id));
  const isActive = change['is_active'] === true;
  const others = [without(active, change.user_id), without(gone, change.user_id)] as const;
  return {
    realm_users: isActive ? byId([...others[0], ...users]) : others[0],
    realm_non_active_users: isActive ? others[1] : byId([...others[1], ...users]),
  };
}

/** Members of an update that a user object has under the same names. */
const SAME = ['full_name', 'timezone', 'bot_owner_id', 'delivery_email', 'email', 'avatar_url', 'avatar_version'];

/** The members of a change that the lists of users show. */
function listedFields(change: Change): object {
  const { role, new_email, is_deleted } = change;
  return {
    ...named(change, [...SAME, 'role']),
    ...(typeof role === 'number' && {
      is_owner: role <= OWNER,
      is_admin: role <= ADMINISTRATOR,
      is_guest: role >= GUEST,
    }),
    ...(new_email !== undefined && { email: new_email }),
    ...(is_deleted === true && { is_deleted: true }),
  };
}

/** The members of a change that the client's own account shows. */
function ownFields(change: Change): object {
  const { role, new_email } = change;
  return {
    ...named(change, ['full_name', 'email', 'delivery_email', 'avatar_source', 'avatar_url', 'avatar_url_medium']),
    ...(typeof role === 'number' && {
      is_owner: role <= OWNER,
      is_admin: role <= ADMINISTRATOR,
      is_moderator: role <= MODERATOR,
      is_guest: role >= GUEST,
    }),
    ...(new_email !== undefined && { email: new_email }),
  };
}

function named(change: Change, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(change).filter(([name]) => names.includes(name)));
}

function without(users: readonly WireUser[], id: number): WireUser[] {
  return users.filter((user) => user.user_id !== id);
}

function byId(users: readonly WireUser[]): WireUser[] {
  return users.toSorted((a, b) => a.user_id - b.user_id);
}
