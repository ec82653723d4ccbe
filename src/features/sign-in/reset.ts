import { deleteSessionsOf, type RealmRef } from '#kernel/auth';
import { defineJob } from '#kernel/jobs';
import type { Kit } from '#kernel/kit';
import { queueMail } from '#features/mails';
import { readRealm, realmRefOf, settingsOf } from '#features/realms';
import { endKey, findUser, findUserByEmail } from '#features/users';
import { makeOneTimeLink, takeOneTimeLink } from './one-time-links.ts';
import { hashPassword } from './passwords.ts';
import { setPasswordHash } from './queries.ts';

/** Seconds that a link to a new password is good for: a day. */
const RESET_SECONDS = 86_400;

/**
 * Looks for the account behind an address and mails it a link. A job, so that whoever asks learns nothing, not even from the
 * time it takes (security 2, 6.3.8).
 */
export const resetJob = defineJob<{ readonly email: string }, Kit>(
  'password-reset',
  async ({ email }, { kit, realmId, finish }) => {
    await kit.store.write(async (tx) => {
      await finish(tx);
      const row = await readRealm(tx, realmId);
      const user = await findUserByEmail(tx, realmId, email);
      if (!user?.is_active || user.is_bot || !settingsOf(row).authentication_methods['Email']) return;
      const purpose = { realm_id: realmId, user_id: user.id, purpose: 'reset', seconds: RESET_SECONDS } as const;
      const token = await makeOneTimeLink(kit.clock, tx, purpose);
      const url = `${kit.realmUrl(realmRefOf(row))}/accounts/password/reset/${token}`;
      await queueMail(kit, tx, realmId, {
        to: { name: user.full_name, address: user.email },
        subject: `A new password for ${row.name}`,
        text: `Somebody, we hope you, asked for a new password for ${row.name}.\n\nTo choose one, open this address within a day:\n\n${url}\n\nIf it was not you, you need not do anything.`,
      });
    });
  },
);

/**
 * Sets a new password by a link; false when the link is no longer good. Whoever had got in with the old one is out: sessions,
 * API key and event queues end (security 2, 7.4.3).
 */
export async function resetPassword(kit: Kit, realm: RealmRef, token: string, password: string): Promise<boolean> {
  const hash = await hashPassword(password);
  return kit.store.write(async (tx) => {
    const link = await takeOneTimeLink(tx, 'reset', realm.id, token);
    const user = link?.user_id ? await findUser(tx, realm.id, link.user_id) : undefined;
    if (!user?.is_active) return false;
    await setPasswordHash(tx, realm.id, user.id, hash);
    await endKey(kit, tx, realm, user);
    await deleteSessionsOf(tx, realm.id, user.id);
    return true;
  });
}
