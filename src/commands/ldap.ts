import { defineCommand } from 'citty';
import { followDirectory, TooManyGone } from '#features/directory';
import { DirectoryFault } from '#kernel/directory';
import { writeRows } from './operator/output.ts';
import { inOrganization, jsonArg, subdomainArg } from './operator/owner.ts';
import { Refusal } from './refusal.ts';

const sync = defineCommand({
  meta: {
    name: 'sync',
    description: 'Update accounts from the directory: names, pictures, groups, who left or came back',
  },
  args: {
    ...subdomainArg,
    ...jsonArg,
    'dry-run': { type: 'boolean', default: false, description: 'Only show what would change' },
    'any-number': {
      type: 'boolean',
      default: false,
      description: 'Deactivate any number of people who are gone from the directory',
    },
  },
  run: ({ args }) =>
    inOrganization(args.subdomain, async ({ context, realm }) => {
      const directory = context.identity.directories.get(realm.subdomain);
      if (!directory) throw new Refusal('ROOST_SIGN_IN_FILE names no directory for this organization');
      const following = { isDryRun: args['dry-run'], endsAny: args['any-number'] };
      const changes = await followDirectory(context, realm, directory, following).catch(refuse);
      const rows = changes.map(({ person, what, detail }) => ({ what, person, detail }));
      writeRows(rows, args, 'everything is as the directory says');
    }),
});

function refuse(error: unknown): never {
  if (error instanceof TooManyGone) throw new Refusal(`${error.message}; --any-number deactivates them`);
  if (error instanceof DirectoryFault)
    throw new Refusal(`the directory gave no whole list: ${error.reason}, ${error.code}`);
  throw error;
}

export const ldap = defineCommand({
  meta: { name: 'ldap', description: 'Synchronize with the directory of an organization' },
  subCommands: { sync },
});
