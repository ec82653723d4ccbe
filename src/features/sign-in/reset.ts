import { inRealm } from '#kernel/store';
import { SECONDS_PER_DAY } from '#kernel/clock';
import { deleteSessionsOf, type RealmRefWriteTx } from '#kernel/auth';
import { defineJob } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import type { RealmRequest } from '#kernel/endpoint';
import { queueMail } from '#features/mails';
import { readRealm, realmRefOf, settingsOf } from '#features/realms';
import { endEveryKey, findUser, findUserByEmail, type UserRow } from '#features/users';
import { forgiveGuesses } from './guessing.ts';
import { endRecovery, makeOneTimeLink, takeOneTimeLink } from './one-time-links.ts';
import { hashPassword } from './passwords.ts';
import { deleteOneTimeLinks, setPasswordHash } from './queries.ts';
import { noteSender } from './sent-again.ts';
import { tell } from './factors/index.ts';

/** Seconds that a link for a new password is valid: a day. */
const RESET_SECONDS = SECONDS_PER_DAY;

/**
 * Looks up the account of an address and mails it a link. It is a job, so that the caller learns nothing, not even from
 * the time it takes (security#asvs, 6.3.8).
 */
export const resetJob = defineJob<{ readonly email: string }, Context>(
  'password-reset',
  async ({ email }, { context, realmId, finish }) => {
    await context.store.of(realmId).write(async (tx) => {
      await finish(tx);
      const row = await readRealm(tx);
      const user = await findUserByEmail(tx, email);
      if (!user?.is_active || user.is_bot || !settingsOf(row).authentication_methods['Email']) return;
      const url = await makeResetLink(context, inRealm(tx, realmRefOf(row, context.server)), user);
      await queueMail(tx, {
        action: { label: 'Choose a new password', url },
        to: { name: user.full_name, address: user.email },
        subject: `A new password for ${row.name}`,
        text: `Somebody, we hope you, asked for a new password for ${row.name}.\n\nTo choose one, open this address within a day:\n\n${url}\n\nIf this was not you, you can ignore this mail.`,
      });
    });
  },
);

/** Makes a link for choosing a new password, valid for a day, and ends earlier ones. */
export async function makeResetLink(context: Context, tx: RealmRefWriteTx, user: UserRow): Promise<string> {
  const purpose = { realm_id: tx.realmId, user_id: user.id, purpose: 'reset', seconds: RESET_SECONDS } as const;
  await deleteOneTimeLinks(tx, ['reset'], user.id);
  return `${tx.realm.url}/accounts/password/reset/${await makeOneTimeLink(context.clock, tx, purpose)}`;
}

/**
 * Sets a new password by a link, and lets its owner log in with it from this network at once; returns false if the link
 * is no longer valid. An attacker who knew the old password is out: sessions, API key and event queues end
 * (security#asvs, 7.4.3), and links that were mailed before stop working.
 */
export async function resetPassword(request: RealmRequest, token: string, password: string): Promise<boolean> {
  const { context, realm } = request;
  const hash = await hashPassword(password);
  const owner = await context.store.in(realm).write(async (tx) => {
    const link = await takeOneTimeLink(tx, 'reset', token);
    const user = link?.user_id ? await findUser(tx, link.user_id) : undefined;
    if (!user?.is_active) return undefined;
    await setPasswordHash(tx, user.id, hash);
    await tell(tx, user, 'A new password was chosen for your account, by a link that was mailed to you.');
    await endEveryKey(context, tx, user);
    await deleteSessionsOf(tx, user.id);
    await endRecovery(tx, user.id);
    await noteSender(tx, request, token);
    return user;
  });
  if (owner) await forgiveGuesses(request, owner);
  return owner !== undefined;
}
