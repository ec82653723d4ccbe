import { type CommandDef, defineCommand } from 'citty';
import { findRealmBySubdomain } from '#features/realms';
import { findUserByEmail, setUser } from '#features/users';
import { orRefuse, Refusal } from './refusal.ts';
import { configOrExit, withServer } from './run-server.ts';
import { ofRealm } from '#kernel/store';

const args = {
  subdomain: { type: 'string', default: '', description: 'Subdomain of the organization; empty for the root domain' },
  email: { type: 'string', required: true, description: 'Address of the administrator' },
} as const;

/**
 * Makes a command that lets an administrator create accounts and change addresses, or forbids it. See
 * protocol/users#changing.
 */
const permit = (name: string, description: string, may_manage_accounts: boolean): CommandDef<typeof args> =>
  defineCommand({
    meta: { name, description },
    args,
    run: ({ args: { subdomain, email } }) =>
      orRefuse(() =>
        withServer(configOrExit(), async ({ context }) => {
          await context.store.write(async (tx) => {
            const realm = await findRealmBySubdomain(tx, subdomain);
            const user = realm && (await findUserByEmail(ofRealm(tx, realm.id), email));
            if (!user) throw new Refusal(`nobody has the address ${email}`);
            await setUser(ofRealm(tx, user.realm_id), user.id, { may_manage_accounts });
          });
          process.stdout.write(`${description}: ${email}\n`);
        }),
      ),
  });

export const account = defineCommand({
  meta: { name: 'account', description: 'Decide who may create accounts and change addresses' },
  subCommands: {
    permit: permit('permit', 'May make accounts and change addresses', true),
    forbid: permit('forbid', 'May no longer make accounts and change addresses', false),
  },
});
