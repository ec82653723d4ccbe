import { newestReceived } from '#features/messages';
import { apiEmail, avatarUrl, findUser, listProfiles, profileData, toWireDate } from '#features/users';
import { endpoint, everyone } from '#kernel/endpoint';
import type { UserId } from '#kernel/ids';
import { isAdministrator, isGuest, isOwner } from '#kernel/permissions';
import { bool, idOf, int, maybe, nullable, str } from '#kernel/schema';

/** Returns the caller's own account as a flat object. See protocol/users#operations. */
export const getOwnUser = endpoint({
  id: 'get-own-user',
  method: 'GET',
  path: '/users/me',
  source: 'protocol/users#operations',
  doc: "The caller's own account.",
  who: everyone,
  params: {},
  returns: {
    user_id: idOf<UserId>(),
    email: str(),
    delivery_email: str(),
    full_name: str(),
    avatar_url: nullable(str()),
    avatar_version: int(),
    is_admin: bool(),
    is_owner: bool(),
    is_guest: bool(),
    is_bot: bool(),
    role: int(),
    is_active: bool(),
    timezone: str(),
    date_joined: str(),
    max_message_id: int(),
    is_imported_stub: bool(),
    bot_type: maybe(nullable(int())),
    bot_owner_id: maybe(nullable(idOf<UserId>())),
    profile_data: maybe(profileData),
  },
  async run({ actor, realm, context }) {
    const [row, profiles, newest] = await context.store
      .as(actor)
      .read(async (tx) => [
        await findUser(tx, actor.userId),
        await listProfiles(tx, [actor.userId]),
        await newestReceived(tx),
      ]);
    if (!row) throw new Error('the caller has no account');
    return {
      user_id: row.id,
      email: apiEmail(row, realm.host),
      delivery_email: row.email,
      full_name: row.full_name,
      avatar_url: avatarUrl(row, { mayBeNull: false }),
      avatar_version: row.avatar_version,
      is_admin: isAdministrator(row),
      is_owner: isOwner(row),
      is_guest: isGuest(row),
      is_bot: row.is_bot,
      role: row.role,
      is_active: row.is_active,
      timezone: row.timezone,
      date_joined: toWireDate(row.date_joined),
      max_message_id: newest ?? -1,
      is_imported_stub: false,
      ...(row.is_bot
        ? { bot_type: row.bot_type, bot_owner_id: row.bot_owner_id }
        : { profile_data: profiles.get(row.id) ?? {} }),
    };
  },
});
