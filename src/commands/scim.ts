import { defineCommand } from 'citty';
import { addToken, revokeToken, tokensOf } from '#features/scim';
import { timeOf, writeRows } from './operator/output.ts';
import { inOrganization, jsonArg, subdomainArg } from './operator/owner.ts';
import { Refusal } from './refusal.ts';

const add = defineCommand({
  meta: { name: 'add-token', description: 'Print a new token for a directory that manages accounts; it is shown once' },
  args: { ...subdomainArg, name: { type: 'positional', required: true, description: 'The directory that it is for' } },
  run: ({ args }) =>
    inOrganization(args.subdomain, async ({ context, realm }) => {
      const name = args.name.trim();
      if (name === '' || name.length > 100) throw new Refusal('a name has 1 to 100 characters');
      process.stdout.write(`${await addToken(context, realm, name)}\n`);
    }),
});

const list = defineCommand({
  meta: { name: 'list-tokens', description: 'List the tokens with which directories manage accounts' },
  args: { ...subdomainArg, ...jsonArg },
  run: ({ args }) =>
    inOrganization(args.subdomain, async ({ context, realm }) => {
      const rows = (await tokensOf(context, realm)).map(({ id, name, works, created_at, last_used_at }) => ({
        id,
        name,
        works,
        created: timeOf(created_at),
        last_used: last_used_at === null ? null : timeOf(last_used_at),
      }));
      writeRows(rows, args, 'there is no token');
    }),
});

const revoke = defineCommand({
  meta: { name: 'revoke-token', description: 'Revoke a token' },
  args: { ...subdomainArg, id: { type: 'positional', required: true, description: 'ID of the token' } },
  run: ({ args }) =>
    inOrganization(args.subdomain, async ({ context, realm }) => {
      const isOne = /^\d{1,15}$/.test(args.id) && (await revokeToken(context, realm, Number(args.id)));
      if (!isOne) throw new Refusal(`there is no token ${args.id}`);
      process.stdout.write(`ended the token ${args.id}\n`);
    }),
});

export const scim = defineCommand({
  meta: { name: 'scim', description: 'Let a directory manage accounts and groups with SCIM' },
  subCommands: { 'add-token': add, 'list-tokens': list, 'revoke-token': revoke },
});
