import { defineCommand } from 'citty';
import { deleteSessionsOf, listSessions } from '#kernel/auth';
import { ApiError } from '#kernel/errors';
import { addMember } from '#features/people';
import { makeResetLink, makeSignInLink, recoverSecondFactor } from '#features/sign-in';
import { timeOf, writeRows } from './operator/output.ts';
import { inOrganization, jsonArg, personBy, subdomainArg } from './operator/owner.ts';
import { ROLE_NAMES, roleName, roleNumber } from './operator/roles.ts';
import { readNewPassword } from './password.ts';
import { Refusal } from './refusal.ts';

const emailArg = { email: { type: 'positional', required: true, description: 'Address of the person' } } as const;

const list = defineCommand({
  meta: { name: 'list', description: 'List the people of an organization' },
  args: {
    ...subdomainArg,
    ...jsonArg,
    all: { type: 'boolean', default: false, description: 'Include deactivated people and bots' },
  },
  run: ({ args }) =>
    inOrganization(args.subdomain, async ({ users }) => {
      const shown = users.filter((user) => args.all || (user.is_active && !user.is_bot));
      const rows = shown.map((user) => ({
        id: user.id,
        email: user.email,
        name: user.full_name,
        role: user.is_bot ? 'bot' : roleName(user.role),
        active: user.is_active,
        joined: timeOf(user.date_joined),
      }));
      writeRows(rows, args, 'there is nobody');
    }),
});

const create = defineCommand({
  meta: { name: 'create', description: 'Create an account; the password is asked for, or read from standard input' },
  args: {
    ...subdomainArg,
    ...emailArg,
    'full-name': { type: 'string', required: true, description: 'Name of the person' },
    role: { type: 'string', default: 'member', description: `One of ${ROLE_NAMES}` },
  },
  run: ({ args }) =>
    inOrganization(args.subdomain, async ({ context, realm }) => {
      const role = roleNumber(args.role);
      const password = await readNewPassword(args.email);
      const member = { email: args.email, full_name: args['full-name'], password, role };
      const id = await addMember(context, realm, member).catch(refuse);
      process.stdout.write(`created ${args.email} with the ID ${id}\n`);
    }),
});

/** Turns an API error into a refusal with the same text. */
function refuse(error: unknown): never {
  throw error instanceof ApiError ? new Refusal(error.message) : error;
}

const deactivate = defineCommand({
  meta: { name: 'deactivate', description: 'Deactivate a person, and their bots' },
  args: { ...subdomainArg, ...emailArg },
  run: ({ args }) =>
    inOrganization(args.subdomain, async (organization) => {
      await organization.call('DELETE', `/users/${personBy(organization, args.email).id}`);
      process.stdout.write(`deactivated ${args.email}\n`);
    }),
});

const reactivate = defineCommand({
  meta: { name: 'reactivate', description: 'Reactivate a person' },
  args: { ...subdomainArg, ...emailArg },
  run: ({ args }) =>
    inOrganization(args.subdomain, async (organization) => {
      await organization.call('POST', `/users/${personBy(organization, args.email).id}/reactivate`);
      process.stdout.write(`reactivated ${args.email}\n`);
    }),
});

const role = defineCommand({
  meta: { name: 'role', description: 'Give a person a role' },
  args: {
    ...subdomainArg,
    ...emailArg,
    role: { type: 'positional', required: true, description: `One of ${ROLE_NAMES}` },
  },
  run: ({ args }) =>
    inOrganization(args.subdomain, async (organization) => {
      const { id } = personBy(organization, args.email);
      await organization.call('PATCH', `/users/${id}`, { role: roleNumber(args.role) });
      process.stdout.write(`${args.email} is ${args.role} now\n`);
    }),
});

/** Makes a command that prints a link for one active person. */
function linkCommand(name: string, description: string, makeLink: typeof makeResetLink) {
  return defineCommand({
    meta: { name, description },
    args: { ...subdomainArg, ...emailArg },
    run: ({ args }) =>
      inOrganization(args.subdomain, async (organization) => {
        const { context, realm } = organization;
        const person = personBy(organization, args.email);
        if (!person.is_active) throw new Refusal(`the account of ${args.email} is deactivated`);
        process.stdout.write(`${await context.store.in(realm).write((tx) => makeLink(context, tx, person))}\n`);
      }),
  });
}

const resetPassword = linkCommand(
  'reset-password',
  'Print a link by which a person chooses a new password within a day',
  makeResetLink,
);

const signInLink = linkCommand(
  'sign-in-link',
  'Print a link that lets a person in once within 15 minutes',
  makeSignInLink,
);

const secondFactor = defineCommand({
  meta: {
    name: 'second-factor',
    description: 'Turn off the second factor of a person who has lost their phone and recovery codes',
  },
  args: { ...subdomainArg, ...emailArg },
  run: ({ args }) =>
    inOrganization(args.subdomain, async (organization) => {
      const { context, realm } = organization;
      const person = personBy(organization, args.email);
      const isRemoved = await context.store
        .in(realm)
        .write((tx) => recoverSecondFactor(tx, person, 'The operator of the server'));
      if (!isRemoved) throw new Refusal(`${args.email} has no second factor`);
      process.stdout.write(`the second factor of ${args.email} is off\n`);
    }),
});

const sessions = defineCommand({
  meta: { name: 'sessions', description: 'List the browser sessions of a person, or end them' },
  args: {
    ...subdomainArg,
    ...emailArg,
    ...jsonArg,
    end: { type: 'boolean', default: false, description: 'Log the person out of all browsers' },
  },
  run: ({ args }) =>
    inOrganization(args.subdomain, async (organization) => {
      const { context, realm } = organization;
      const { id } = personBy(organization, args.email);
      const found = await context.store.in(realm).write(async (tx) => {
        const living = await listSessions(tx, id);
        if (args.end) await deleteSessionsOf(tx, id);
        return living;
      });
      const rows = found.map(({ client, created_at, last_seen_at }) => ({
        browser: client,
        since: timeOf(created_at),
        last_used: timeOf(last_seen_at),
      }));
      writeRows(rows, args, `${args.email} is logged in nowhere`);
      if (args.end && !args.json) process.stdout.write(`logged out of ${rows.length}\n`);
    }),
});

export const user = defineCommand({
  meta: { name: 'user', description: 'Manage the people of an organization' },
  subCommands: {
    list,
    create,
    deactivate,
    reactivate,
    role,
    'reset-password': resetPassword,
    'sign-in-link': signInLink,
    'second-factor': secondFactor,
    sessions,
  },
});
