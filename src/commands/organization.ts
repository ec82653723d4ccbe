import { defineCommand } from 'citty';
import {
  createOrganization,
  foundingFaults,
  moveOrganization,
  reactivateRealm,
  subdomainFault,
} from '#features/organizations';
import { findRealmBySubdomain, listRealms } from '#features/realms';
import { realmUrlOf } from '#kernel/auth';
import { timeOf, writeRows } from './operator/output.ts';
import { accessOrganization, jsonArg } from './operator/owner.ts';
import { readNewPassword } from './password.ts';
import { orRefuse, Refusal } from './refusal.ts';
import { configOrExit, withServer } from './run-server.ts';

const create = defineCommand({
  meta: { name: 'create', description: 'Create an organization and its owner' },
  args: {
    name: { type: 'string', required: true, description: 'Name of the organization' },
    subdomain: { type: 'string', default: '', description: 'Subdomain of the organization; empty for the root domain' },
    email: { type: 'string', required: true, description: 'Address of the owner' },
    'full-name': { type: 'string', required: true, description: 'Name of the owner' },
    password: {
      type: 'string',
      description:
        'Password of the owner; others on this machine can see it: better leave it out, or use standard input',
    },
  },
  run: ({ args }) =>
    orRefuse(async () => {
      const config = configOrExit();
      const password = args.password ?? (await readNewPassword('the owner'));
      const owner = { email: args.email, full_name: args['full-name'], password };
      const faults = foundingFaults({ name: args.name, ...owner });
      if (faults) throw new Refusal(Object.values(faults).filter(Boolean).join(' '));
      const misnamed = subdomainFault(args.subdomain);
      if (misnamed !== undefined) throw new Refusal(misnamed);
      await withServer(config, async ({ context }) => {
        const known = await context.store.read((tx) => findRealmBySubdomain(tx, args.subdomain));
        if (known)
          throw new Refusal(`there is an organization at ${realmUrlOf(args.subdomain, context.server)} already`);
        const { realm } = await createOrganization(context, { subdomain: args.subdomain, name: args.name, owner });
        process.stdout.write(`created ${realm.url}\n`);
      });
    }),
});

const reactivate = defineCommand({
  meta: { name: 'reactivate', description: 'Reactivate a deactivated organization with all its data' },
  args: {
    subdomain: { type: 'string', default: '', description: 'Subdomain of the organization; empty for the root domain' },
  },
  run: ({ args }) =>
    orRefuse(() =>
      withServer(configOrExit(), async ({ context }) => {
        const known = await accessOrganization(context, args.subdomain);
        if (!(await reactivateRealm(context, known)))
          throw new Refusal(`${realmUrlOf(args.subdomain, context.server)} is in use`);
        process.stdout.write(`reactivated ${realmUrlOf(args.subdomain, context.server)}\n`);
      }),
    ),
});

const rename = defineCommand({
  meta: { name: 'rename', description: 'Give an organization another address; the old one redirects there' },
  args: {
    subdomain: { type: 'string', default: '', description: 'Its present subdomain; empty for the root domain' },
    to: { type: 'string', required: true, description: 'Subdomain of the organization; empty for the root domain' },
  },
  run: ({ args }) =>
    orRefuse(() =>
      withServer(configOrExit(), async ({ context }) => {
        const fault = subdomainFault(args.to);
        if (fault !== undefined) throw new Refusal(fault);
        const known = await accessOrganization(context, args.subdomain);
        const next = realmUrlOf(args.to, context.server);
        if (!(await moveOrganization(context, known, args.to)))
          throw new Refusal(`there is an organization at ${next} already`);
        process.stdout.write(`moved to ${next}; ${realmUrlOf(args.subdomain, context.server)} leads there\n`);
      }),
    ),
});

const list = defineCommand({
  meta: { name: 'list', description: 'List the organizations of this server' },
  args: jsonArg,
  run: ({ args }) =>
    orRefuse(() =>
      withServer(configOrExit(), async ({ context }) => {
        const rows = (await context.store.read((tx) => listRealms(tx))).map((realm) => ({
          id: realm.id,
          name: realm.name,
          address: realmUrlOf(realm.string_id, context.server),
          active: !realm.is_deactivated,
          created: timeOf(realm.date_created),
        }));
        writeRows(rows, args, 'there is no organization');
      }),
    ),
});

export const organization = defineCommand({
  meta: { name: 'organization', description: 'Manage organizations' },
  subCommands: { list, create, rename, reactivate },
});
