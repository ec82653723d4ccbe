import { queueMail } from '#features/mails';
import { withRealm } from '#features/realms';
import { findUser } from '#features/users';
import { defineJob } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import { keyOf } from './keys.ts';
import { invitationMail } from './mails.ts';
import { findInvitationByKey } from './queries.ts';

/**
 * Mails a reminder of an invitation that is still pending shortly before it expires. See protocol/invitations#effects.
 */
export const reminderJob = defineJob<{ readonly key_hash: string }, Context>(
  'invitation-reminder',
  async ({ key_hash }, { context, realmId, finish }) => {
    await context.store.of(realmId).write(async (tx) => {
      await finish(tx);
      const row = await findInvitationByKey(tx, key_hash);
      if (!row || row.invitation_state !== 'pending' || row.inviter_id === null || row.email === null) return;
      const inviter = await findUser(tx, row.inviter_id);
      if (!inviter?.is_active) return;
      const key = keyOf(context.server.secret, row.key_seed);
      const mail = { inviter, to: row.email, key, isReminder: true };
      await queueMail(tx, invitationMail(await withRealm(context, tx), mail));
    });
  },
);
