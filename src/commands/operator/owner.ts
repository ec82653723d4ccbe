import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { isOwner } from '#kernel/permissions';
import { findRealmBySubdomain, realmRefOf } from '#features/realms';
import { listUsers, type UserRow } from '#features/users';
import type { Server } from '../../server.ts';
import { orRefuse, Refusal } from '../refusal.ts';
import { configOrExit, withServer } from '../run-server.ts';
import { type Answer, callApi, type Fields, type Method } from './api-call.ts';

/** An organization as a command sees it. */
export interface Organization {
  readonly context: Context;
  readonly realm: RealmRef;
  /** Everybody who has an account in it, bots and deactivated people too. */
  readonly users: readonly UserRow[];
  /** Calls the API as an owner, so that rules, events and error texts are those that clients get. */
  readonly call: (method: Method, path: string, fields?: Fields) => Promise<Answer>;
}

/** Argument of each command that is about one organization. */
export const subdomainArg = {
  subdomain: { type: 'string', default: '', description: 'Label before the host name; empty for the root domain' },
} as const;

/** Argument of each command that lists. */
export const jsonArg = {
  json: { type: 'boolean', default: false, description: 'Write JSON instead of a table' },
} as const;

/** Opens an organization for a command, which ends with one line and exit code 1 when something is refused. */
export function inOrganization(subdomain: string, use: (organization: Organization) => Promise<void>): Promise<void> {
  return orRefuse(() =>
    withServer(configOrExit(), async (server) => {
      const { context } = server;
      const row = await context.store.read((tx) => findRealmBySubdomain(tx, subdomain));
      if (!row) throw new Refusal(`there is no organization at ${context.realmUrl({ subdomain })}`);
      await server.listener.ready();
      await use(await organizationOf(server, realmRefOf(row)));
    }),
  );
}

async function organizationOf(server: Server, realm: RealmRef): Promise<Organization> {
  const { context } = server;
  const users = await context.store.in(realm).read((tx) => listUsers(tx));
  const owner = users.find((user) => isOwner(user) && user.is_active && !user.is_bot);
  if (!owner) throw new Refusal('the organization has no active owner');
  const host = new URL(context.realmUrl(realm)).host;
  return { context, realm, users, call: (method, path, fields) => callApi(server, owner, host, method, path, fields) };
}

/** The person of an address, whose capitals do not matter. */
export function personBy({ users }: Organization, email: string): UserRow {
  const person = users.find((user) => !user.is_bot && user.email.toLowerCase() === email.toLowerCase());
  if (!person) throw new Refusal(`nobody has the address ${email}`);
  return person;
}
