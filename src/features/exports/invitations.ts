import { allRowsOf, type RealmReadTx } from '#kernel/store';
import { OWN_TABLE_PREFIX } from './format.ts';
import type { Records } from './json.ts';
import type { Scope } from './scope.ts';

/** Roost's own table of invitations: the format has none. */
export const INVITATIONS = `${OWN_TABLE_PREFIX}invitation`;

/** Invitations that can still be accepted, without their keys; in full exports only. */
export async function invitationTables(
  tx: RealmReadTx,
  { type, hasChannel }: Scope,
): Promise<readonly (readonly [string, Records])[]> {
  if (type !== 'full') return [];
  const rows = (await allRowsOf(tx, 'invitation')).filter(
    (row) =>
      row.invitation_kind !== 'confirmation' &&
      row.invitation_state === 'pending' &&
      (row.expires_at === null || row.expires_at > tx.now),
  );
  if (rows.length === 0) return [];
  const written = rows.map((row) => ({
    id: row.id,
    email: row.email,
    is_multiuse: row.invitation_kind === 'link',
    invited_by: row.inviter_id,
    invited_as: row.invited_as,
    streams: row.channel_ids.filter(hasChannel),
    groups: row.group_ids,
    include_realm_default_subscriptions: row.includes_defaults,
    notify_referrer_on_join: row.notifies_referrer,
    welcome_message_custom_text: row.welcome_text,
    invited: row.created_at,
    expiry_date: row.expires_at,
  }));
  return [[INVITATIONS, written]];
}
