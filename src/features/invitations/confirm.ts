import { queueMail } from '#features/mails';
import type { Context } from '#kernel/context';
import type { RealmRequest } from '#kernel/endpoint';
import type { RealmWriteTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { keyHash, keyOf } from './keys.ts';
import { confirmationMail } from './mails.ts';
import { insertInvitations } from './queries.ts';
import { CONFIRMATION_MINUTES, SIGN_UP } from './rules.ts';
import type { InvitationRow } from './tables.ts';

/** An email address that somebody wants to join with, and the link they followed, if any. */
interface Arrived {
  readonly link: InvitationRow | undefined;
  readonly email: string;
}

/** Mails a confirmation to an address to verify its owner; the confirmation stores what the link offers. */
export async function confirmAddress({ context, realm }: RealmRequest, arrived: Arrived): Promise<void> {
  await context.store.in(realm).write(async (tx) => {
    const key = await insertConfirmation(context, tx, arrived);
    await queueMail(context, tx, confirmationMail(context, tx, { to: arrived.email, key }));
  });
}

/** Accepts an address without verification; returns the key for creating the account. */
export function trustAddress({ context, realm }: RealmRequest, arrived: Arrived): Promise<string> {
  return context.store.in(realm).write((tx) => insertConfirmation(context, tx, arrived));
}

async function insertConfirmation(context: Context, tx: RealmWriteTx, { link, email }: Arrived): Promise<string> {
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
    expires_at: tx.now + CONFIRMATION_MINUTES * 60,
  };
  await insertInvitations(tx, [row]);
  return key;
}
