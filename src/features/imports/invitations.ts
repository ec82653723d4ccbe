import { INVITATIONS } from '#features/exports';
import { newKey } from '#features/invitations';
import type { Context } from '#kernel/context';
import { ROLES, Role } from '#kernel/permissions';
import { freshIds, insertWhole, type WholeRow, type WriteTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import type { Entry } from './entry.ts';
import type { Plan } from './plan.ts';

/** Longest text that greets who joins, in code points. */
const MAX_WELCOME = 8000;

/** Stores invitations that can still be accepted. Their keys are in no archive: links are new ones, and mails are sent again by hand. */
export async function importInvitations(
  context: Pick<Context, 'clock' | 'server'>,
  tx: WriteTx,
  plan: Plan,
): Promise<void> {
  const rows = plan.tables.rows(INVITATIONS).flatMap((row) => toInvitation(context, plan, row) ?? []);
  const ids = await freshIds(tx, 'invitation', rows.length);
  await insertWhole(
    tx,
    'invitation',
    rows.map((row, index) => ({ id: ids[index] ?? 0, ...row })),
  );
  plan.report.count('invitations', rows.length);
}

function toInvitation(
  context: Pick<Context, 'clock' | 'server'>,
  { realmId, users, channels, groups, report, now }: Plan,
  row: Entry,
): Omit<WholeRow<'invitation'>, 'id'> | undefined {
  const isLink = row.bool('is_multiuse', false);
  const email = isLink ? null : row.text('email', '').trim();
  const role = row.int('invited_as', Role.member);
  const expires_at = row.timeOrNull('expiry_date');
  if (email !== null && !/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(email)) {
    report.remark('invitations left out', `${row.placeOf('email')} is no address`);
    return undefined;
  }
  return {
    realm_id: realmId,
    invitation_kind: isLink ? 'link' : 'email',
    invitation_state: 'pending',
    parent_id: null,
    email,
    email_key: email === null ? null : foldCase(email),
    inviter_id: users.orNull(row.idOrNull('invited_by')),
    invited_as: ROLES.find((known) => known === role) ?? Role.member,
    channel_ids: row.ids('streams').flatMap((id) => channels.of(id) ?? []),
    group_ids: row.ids('groups').flatMap((id) => groups.of(id) ?? []),
    includes_defaults: row.bool('include_realm_default_subscriptions', true),
    notifies_referrer: row.bool('notify_referrer_on_join', false),
    welcome_text: row.textOrNull('welcome_message_custom_text')?.slice(0, MAX_WELCOME) ?? null,
    ...newKey(context),
    created_at: row.time('invited', now),
    expires_at,
  };
}
