import { registerState, type StateContext } from '#kernel/state';
import { bool, int, list, nullable, str } from '#kernel/schema';
import { Role, isAdministrator, isGuest, isModerator, isOwner } from '#kernel/permissions';
import { avatarUrl, gravatarUrl } from './avatars.ts';
import { type People, readPeople, toWireLists } from './lists.ts';
import { findUser } from './queries.ts';
import { sharedLists } from './shared-lists.ts';
import type { ListedRow } from './tables.ts';
import { apiEmail, type Viewer } from './to-wire.ts';
import { wireUser } from './wire.ts';

/** Everybody in the organization, and the caller's own account. See protocol/register#people. */
export const usersState = registerState({
  fetchType: 'realm_user',
  source: 'protocol/register#people',
  fields: {
    realm_users: list(wireUser),
    realm_non_active_users: list(wireUser),
    cross_realm_bots: list(wireUser),
    user_id: int(),
    email: str(),
    delivery_email: str(),
    full_name: str(),
    avatar_source: str(),
    avatar_url: nullable(str()),
    avatar_url_medium: nullable(str()),
    is_admin: bool(),
    is_owner: bool(),
    is_moderator: bool(),
    is_guest: bool(),
  },
  read: async (input) => {
    const { tx, cached } = input;
    const host = tx.realm.host;
    const viewer = viewerOf(input);
    if (cached && tx.actor && !viewer.hidden) {
      const row = await findUser(tx, tx.actor.userId);
      if (row) return { ...(await sharedLists(input, cached, row, { ...viewer, userId: row.id })), ...own(row, host) };
    }
    const people = await readPeople(tx, tx.actor);
    return { ...(await toWireLists(people, host, viewer, input.view)), ...own(ownRow(input, people), host) };
  },
});

function ownRow({ tx }: StateContext, { rows }: People): ListedRow | undefined {
  return rows.find((row) => row.id === tx.actor?.userId);
}

function viewerOf({ tx, view }: StateContext): Viewer {
  return {
    role: tx.actor?.role ?? Role.guest,
    userId: tx.actor?.userId,
    clientGravatar: view.client_gravatar,
    hidden: tx.actor?.viewer.hidden,
  };
}

function own(row: ListedRow | undefined, host: string) {
  if (!row) return SPECTATOR;
  return {
    user_id: row.id,
    email: apiEmail(row, host),
    delivery_email: row.email,
    full_name: row.full_name,
    avatar_source: row.avatar_source,
    avatar_url: avatarUrl(row, { mayBeNull: false }),
    avatar_url_medium: avatarUrl(row, { mayBeNull: false, medium: true }),
    is_owner: isOwner(row),
    is_admin: isAdministrator(row),
    is_moderator: isModerator(row),
    is_guest: isGuest(row),
  };
}

const SPECTATOR_EMAIL = 'username@example.com';

/** What the response tells a spectator about itself. See protocol/register#spectators, protocol/register#people. */
const SPECTATOR = {
  user_id: 0,
  email: SPECTATOR_EMAIL,
  delivery_email: SPECTATOR_EMAIL,
  full_name: 'Anonymous User',
  avatar_source: 'G',
  avatar_url: gravatarUrl(SPECTATOR_EMAIL, 1, false),
  avatar_url_medium: gravatarUrl(SPECTATOR_EMAIL, 1, true),
  is_owner: false,
  is_admin: false,
  is_moderator: false,
  is_guest: true,
};
