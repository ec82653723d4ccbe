import { bool, dict, idOf, int, literal, maybe, nullable, object, type SchemaOf, str } from '#kernel/schema';
import type { UserId } from '#kernel/ids';

/** A person's profile data, by the ID of the field. See protocol/users#user-object. */
export const profileData = dict(object({ value: str(), rendered_value: maybe(str()) }));
export type ProfileData = SchemaOf<typeof profileData>;

/** A user as clients see one. See protocol/users#user-object. */
export const wireUser = object({
  user_id: idOf<UserId>(),
  email: str(),
  delivery_email: nullable(str()),
  full_name: str(),
  date_joined: str(),
  is_active: maybe(bool()),
  is_owner: bool(),
  is_admin: bool(),
  is_guest: bool(),
  is_bot: bool(),
  bot_type: nullable(int()),
  bot_owner_id: nullable(idOf<UserId>()),
  role: int(),
  timezone: str(),
  avatar_url: nullable(str()),
  avatar_version: int(),
  is_imported_stub: bool(),
  is_deleted: maybe(literal(true)),
  is_system_bot: maybe(literal(true)),
  profile_data: maybe(profileData),
}).meta({ id: 'User' });
export type WireUser = SchemaOf<typeof wireUser>;
