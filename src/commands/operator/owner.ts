import { type RealmRef, realmUrlOf } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { isOwner } from '#kernel/permissions';
import { findRealmBySubdomain, type RealmIdentity, realmRefOf } from '#features/realms';
import { listUsers, type UserRow } from '#features/users';
import type { Server } from '../../server.ts';
import { orRefuse, Refusal } from '../refusal.ts';
import { configOrExit, withServer } from '../run-server.ts';
import { type Answer, callApi, type Fields, type Method } from './api-call.ts';

/** An organization that a command works on. */
export interface Organization {
  readonly context: Context;
  readonly realm: RealmRef;
  /** All accounts, including bots and deactivated ones. */
  readonly users: readonly UserRow[];
  /** Calls the API as an owner, so that checks, events and errors are the same as for clients. */
  readonly call: (method: Method, path: string, fields?: Fields) => Promise<Answer>;
}

/** Argument of each command about one organization. */
export const subdomainArg = {
  subdomain: { type: 'string', default: '', description: 'Subdomain of the organization; empty for the root domain' },
} as const;

/** Argument of each command that lists something. */
export const jsonArg = {
  json: { type: 'boolean', default: false, description: 'Write JSON instead of a table' },
} as const;

/** Opens an organization for a command; if something is refused, prints one line and exits with code 1. */
export function inOrganization(subdomain: string, use: (organization: Organization) => Promise<void>): Promise<void> {
  return orRefuse(() =>
    withServer(configOrExit(), async (server) => {
      const { context } = server;
      const row = await accessOrganization(context, subdomain);
      await server.listener.ready();
      await use(await organizationOf(server, realmRefOf(row, context.server)));
    }),
  );
}

/** Finds the organization with a subdomain, also a deactivated one; refuses if there is none. */
export async function accessOrganization({ store, server }: Context, subdomain: string): Promise<RealmIdentity> {
  const row = await store.read((tx) => findRealmBySubdomain(tx, subdomain));
  if (!row) throw new Refusal(`there is no organization at ${realmUrlOf(subdomain, server)}`);
  return row;
}

async function organizationOf(server: Server, realm: RealmRef): Promise<Organization> {
  const { context } = server;
  const users = await context.store.in(realm).read((tx) => listUsers(tx));
  const account = users.find((user) => isOwner(user) && user.is_active && !user.is_bot);
  if (!account) throw new Refusal('the organization has no active owner');
  const host = new URL(realm.url).host;
  return {
    context,
    realm,
    users,
    call: (method, path, fields) => callApi(server, { account, host, method, path, fields }),
  };
}

/** Finds a person by email address, ignoring case. */
export function personBy({ users }: Organization, email: string): UserRow {
  const person = users.find((user) => !user.is_bot && user.email.toLowerCase() === email.toLowerCase());
  if (!person) throw new Refusal(`nobody has the address ${email}`);
  return person;
}
