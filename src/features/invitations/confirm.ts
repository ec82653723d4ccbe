import { queueMail } from '#features/mails';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { foldCase } from '#kernel/text';
import { keyHash, keyOf } from './keys.ts';
import { confirmationMail } from './mails.ts';
import { insertInvitations, type NewInvitation } from './queries.ts';
import { CONFIRMATION_MINUTES, SIGN_UP } from './rules.ts';
import type { InvitationRow } from './tables.ts';

/** Asks an address that came by a link, or by itself, whether it is its owner's; what the link offers is kept with it. */
export async function confirmAddress(
  context: Context,
  realm: RealmRef,
  link: InvitationRow | undefined,
  email: string,
): Promise<void> {
  const { key, row } = newConfirmation(context, link, email);
  await context.store.in(realm).write(async (tx) => {
    await insertInvitations(tx, [{ ...row, expires_at: tx.now + CONFIRMATION_MINUTES * 60 }]);
    await queueMail(context, tx, confirmationMail(context, realm, email, key));
  });
}

/** Takes an address that came by a link as it is, and returns the key that an account is made with. */
export async function trustAddress(
  context: Context,
  realm: RealmRef,
  link: InvitationRow,
  email: string,
): Promise<string> {
  const { key, row } = newConfirmation(context, link, email);
  await context.store
    .in(realm)
    .write((tx) => insertInvitations(tx, [{ ...row, expires_at: tx.now + CONFIRMATION_MINUTES * 60 }]));
  return key;
}

function newConfirmation(
  context: Context,
  link: InvitationRow | undefined,
  email: string,
): { key: string; row: Omit<NewInvitation, 'expires_at'> } {
  const { id, inviter_id, invited_as, channel_ids, group_ids, includes_defaults, welcome_text } = link ?? SIGN_UP;
  const key_seed = context.clock.token(32);
  const key = keyOf(context.server.secret, key_seed);
  const row = {
    invitation_kind: 'confirmation' as const,
    parent_id: id,
    email,
    email_key: foldCase(email),
    inviter_id,
    invited_as,
    channel_ids,
    group_ids,
    includes_defaults,
    notifies_referrer: false,
    welcome_text,
    key_seed,
    key_hash: keyHash(key),
  };
  return { key, row };
}
