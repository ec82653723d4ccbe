import type { UserId } from '#kernel/ids';
import { Role } from '#kernel/permissions';
import type { WireUser } from './wire.ts';

/**
 * What a guest sees in place of the name and picture of somebody they may not know of. See protocol/register#people.
 */
export const UNKNOWN_NAME = 'Unknown user';
export const UNKNOWN_AVATAR = '/user_avatars/unknown.png';

/** The address that stands for an account whose real one is not shown. */
export function madeUpEmail(id: UserId, host: string): string {
  return `user${id}@${host}`;
}

/** Somebody whom the viewer may not know of. See protocol/users#visibility. */
export function toInaccessibleUser(id: UserId, host: string): WireUser {
  return {
    user_id: id,
    email: madeUpEmail(id, host),
    delivery_email: null,
    full_name: UNKNOWN_NAME,
    date_joined: '1970-01-01T00:00+00:00',
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    role: Role.member,
    timezone: '',
    avatar_url: UNKNOWN_AVATAR,
    avatar_version: 1,
    is_imported_stub: false,
  };
}
