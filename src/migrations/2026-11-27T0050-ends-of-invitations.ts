import { defineMigration } from '#kernel/store';

/** Most seconds that an invitation is good for: ten years. */
const MOST = 315_360_000;

/**
 * Invitations that are good for longer than can be asked for now. Their end could be a number that SQLite hands out to nobody, so that
 * no list of invitations could be read.
 */
export const endsOfInvitations = defineMigration('2026-11-27T0050-ends-of-invitations', (m) =>
  m.run(`update invitation set expires_at = created_at + ${MOST} where expires_at > created_at + ${MOST}`),
);
