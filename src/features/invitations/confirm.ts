import { queueMail } from '#features/mails';
import { withRealm } from '#features/realms';
import { findUserByEmail } from '#features/users';
import type { Context } from '#kernel/context';
import type { RealmRequest } from '#kernel/endpoint';
import { defineJob } from '#kernel/jobs';
import type { RealmWriteTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { keyHash, keyOf } from './keys.ts';
import { confirmationMail } from './mails.ts';
import { findAlive, insertInvitations } from './queries.ts';
import { CONFIRMATION_MINUTES, SIGN_UP } from './rules.ts';
import type { InvitationRow } from './tables.ts';

/** An email address that somebody wants to join with, and the link they followed, if any. */
interface Arrived {
  readonly link: InvitationRow | undefined;
  readonly email: string;
}

/**
 * Mails a confirmation to an address to verify its owner, unless it has an account; the confirmation stores what the link
 * offers. It is a job, so that the caller learns nothing, not even from the time it takes (security#asvs, 6.3.8).
 */
export const confirmationJob = defineJob<{ readonly email: string; readonly link_id: number | null }, Context>(
  'confirm-address',
  async ({ email, link_id }, { context, realmId, finish }) => {
    await context.store.of(realmId).write(async (tx) => {
      await finish(tx);
      const link = link_id === null ? undefined : await findAlive(tx, link_id);
      if ((link_id !== null && !link) || (await findUserByEmail(tx, email))) return;
      const here = await withRealm(context, tx);
      const key = await insertConfirmation(context, here, { link, email });
      await queueMail(here, confirmationMail(here, { to: email, key }));
    });
  },
);

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
