import { list } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listDomains } from './queries.ts';
import { toWireDomain, wireDomain } from './wire.ts';

/** All domains. See protocol/organizations#domains. */
export const domainsState = registerState({
  fetchType: 'realm_domains',
  sameFor: () => '',
  source: 'protocol/organizations#domains',
  fields: { realm_domains: list(wireDomain) },
  read: async ({ tx }) => ({ realm_domains: (await listDomains(tx)).map(toWireDomain) }),
});
