import { isShown } from '#features/presence';
import type { UserRow } from '#features/users';
import type { UserStatusRow } from './tables.ts';
import type { WireStatus } from './wire.ts';

/** A person's status; without members when nothing is set. */
export function toWireStatus(user: Pick<UserRow, 'user_settings'>, row: UserStatusRow | undefined): WireStatus {
  return {
    ...(!isShown(user) && { away: true as const }),
    ...(row?.status_text && { status_text: row.status_text }),
    ...(row?.emoji_name && {
      emoji_name: row.emoji_name,
      emoji_code: row.emoji_code,
      reaction_type: row.reaction_type,
    }),
  };
}
