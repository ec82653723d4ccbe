import type { UserId } from '#kernel/ids';
import { idOf, object, type SchemaOf, timestamp } from '#kernel/schema';
import type { MutedUserRow } from './tables.ts';

/** A muted user as clients see it. See protocol/register#own-collections. */
export const wireMutedUser = object({ id: idOf<UserId>(), timestamp: timestamp() }).meta({ id: 'MutedUser' });
export type WireMutedUser = SchemaOf<typeof wireMutedUser>;

export function toWireMutedUser({ muted_user_id, muted_at }: MutedUserRow): WireMutedUser {
  return { id: muted_user_id, timestamp: muted_at };
}
