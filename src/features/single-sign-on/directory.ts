import { directoryVouches, LDAP_ISSUER } from '#features/sign-in';
import { lockLog } from '#kernel/events';
import { on } from '#kernel/slice';
import { accountWithin } from './joining.ts';
import { refusalText } from './refusals.ts';

/**
 * Links somebody whom a directory accepts to an account, as with a verified address: the directory is the
 * organization's own. See protocol/authentication#directory.
 */
export const directoryArrivals = on(directoryVouches, async (tx, { person, settle }, context) => {
  await lockLog(tx);
  const directory = context.identity.directories.get(tx.realm.subdomain);
  const { subject, name, email, groups } = person;
  const settled = await accountWithin(tx, {
    provider: LDAP_ISSUER,
    vouched: { issuer: LDAP_ISSUER, subject, name, email, isVerified: true, groups },
    signsUp: directory?.settings.sign_up ?? true,
    roles: directory?.roles,
  });
  if ('user' in settled) settle(settled);
  else settle({ why: refusalText(settled.refusal)[1], isDeactivated: settled.refusal === 'deactivated' });
});
