import type { UserId } from '#kernel/ids';
import { isAdministrator, isGuest, isModerator, isOwner } from '#kernel/permissions';
import type { Hidden } from '#kernel/events';
import { avatarUrl } from './avatars.ts';
import { madeUpEmail, toInaccessibleUser } from './hidden.ts';
import type { ListedRow, UserRow } from './tables.ts';
import type { WireUser } from './wire.ts';

/** The parts of a viewer that change how a user is shown. */
export interface Viewer {
  readonly role: number;
  /** Undefined for a spectator. */
  readonly userId: UserId | undefined;
  /** Whether avatars may be null if the client can derive them from the address. */
  readonly clientGravatar: boolean;
  /** Users hidden from the viewer. */
  readonly hidden?: Hidden | undefined;
}

/** Visibilities of a real address. */
const Visibility = { everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 } as const;

type EmailFacts = Pick<UserRow, 'id' | 'email' | 'email_address_visibility' | 'is_bot'>;

/** Whether somebody of this role sees the real address. "Nobody" includes administrators. */
export function seesEmail(subject: Pick<UserRow, 'email_address_visibility' | 'is_bot'>, role: number): boolean {
  if (subject.is_bot) return true;
  switch (subject.email_address_visibility) {
    case Visibility.everyone:
      return true;
    case Visibility.members:
      return !isGuest({ role });
    case Visibility.moderators:
      return isModerator({ role });
    case Visibility.administrators:
      return isAdministrator({ role });
    default:
      return false;
  }
}

/** The address that the API shows: the real one only if everybody may see it. */
export function apiEmail(subject: EmailFacts, host: string): string {
  const isOpen = subject.is_bot || subject.email_address_visibility === Visibility.everyone;
  return isOpen ? subject.email : madeUpEmail(subject.id, host);
}

/** The wire form of a user for one viewer; callers add `is_active` and profile data where the protocol wants them. */
export function toWireUser(row: ListedRow, host: string, viewer: Viewer): WireUser {
  if (viewer.hidden?.has(row.id)) return toInaccessibleUser(row.id, host);
  const isSelf = row.id === viewer.userId;
  const isSeen = isSelf || (viewer.userId !== undefined && seesEmail(row, viewer.role));
  return {
    user_id: row.id,
    email: apiEmail(row, host),
    delivery_email: isSeen ? row.email : null,
    full_name: row.full_name,
    date_joined: toWireDate(row.date_joined),
    is_owner: isOwner(row),
    is_admin: isAdministrator(row),
    is_guest: isGuest(row),
    is_bot: row.is_bot,
    bot_type: row.bot_type,
    bot_owner_id: row.bot_owner_id,
    role: row.role,
    timezone: row.timezone,
    avatar_url: avatarUrl(row, { mayBeNull: viewer.clientGravatar }),
    avatar_version: row.avatar_version,
    is_imported_stub: false,
    ...(row.is_deleted && { is_deleted: true as const }),
    ...(row.is_system_bot && { is_system_bot: true as const }),
  };
}

/** ISO 8601 with zone, to the minute. */
export function toWireDate(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16)}+00:00`;
}
