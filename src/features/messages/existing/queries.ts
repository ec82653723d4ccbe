import type { UserId } from '#kernel/ids';
import { compiled, firstOf, sql } from '#kernel/store';

/** A row if the user has starred a message. */
export const findStarred = firstOf(
  compiled(
    ({ realmId }, userId: UserId) => sql<{ readonly found: number }>`select 1 as found from message_flag
      where realm_id = ${realmId} and user_id = ${userId} and flag = 'starred' limit 1`,
  ),
);

/** A row if the user takes part in a direct conversation. */
export const findDirect = firstOf(
  compiled(
    ({ realmId }, userId: UserId) => sql<{ readonly found: number }>`select 1 as found from direct_participant
      where realm_id = ${realmId} and user_id = ${userId} limit 1`,
  ),
);
