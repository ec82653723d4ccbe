import { ListFull } from '#features/realms';
import { endpoint, everyone, json, owners, pathText, raw } from '#kernel/endpoint';
import { bool, idOf, list, str, text, tuple } from '#kernel/schema';
import { addDomain, changeDomain, removeDomain } from './actions.ts';
import { DomainKnown, InvalidDomain, NoSuchDomain } from './errors.ts';
import { listDomains } from './queries.ts';
import type { DomainId } from './tables.ts';
import { toWireDomain, wireDomain } from './wire.ts';

const SOURCE = 'protocol/organizations#domains';
const allow_subdomains = json(bool(), 'Whether the domains below it count too.');

const getDomains = endpoint({
  id: 'get-realm-domains',
  method: 'GET',
  path: '/realm/domains',
  source: SOURCE,
  doc: 'The domains whose addresses may join while `emails_restricted_to_domains` is on.',
  who: everyone,
  params: {},
  returns: { domains: list(wireDomain) },
  run: async ({ realm, context }) => ({
    domains: (await context.store.in(realm).query((tx) => listDomains(tx))).map(toWireDomain),
  }),
});

const createDomain = endpoint({
  id: 'add-realm-domain',
  method: 'POST',
  path: '/realm/domains',
  source: SOURCE,
  doc: 'Adds a domain whose addresses may join.',
  who: owners,
  params: { domain: raw(text()), allow_subdomains },
  returns: { new_domain: tuple(idOf<DomainId>(), str()) },
  fails: [InvalidDomain, DomainKnown, ListFull],
  run: async ({ realm, params, context }) => ({ new_domain: await addDomain(context, realm, params) }),
});

const updateDomain = endpoint({
  id: 'update-realm-domain',
  method: 'PATCH',
  path: '/realm/domains/{domain}',
  source: SOURCE,
  doc: 'Changes whether subdomains of a domain are allowed.',
  who: owners,
  params: { domain: pathText('The domain.'), allow_subdomains },
  returns: {},
  fails: [NoSuchDomain],
  async run({ realm, params, context }) {
    await changeDomain(context, realm, params);
    return {};
  },
});

const deleteDomainEndpoint = endpoint({
  id: 'remove-realm-domain',
  method: 'DELETE',
  path: '/realm/domains/{domain}',
  source: SOURCE,
  doc: 'Removes a domain; removing the last one ends the restriction.',
  who: owners,
  params: { domain: pathText('The domain.') },
  returns: {},
  fails: [NoSuchDomain],
  async run({ realm, params, context }) {
    await removeDomain(context, realm, params.domain);
    return {};
  },
});

export const domainEndpoints = [getDomains, createDomain, updateDomain, deleteDomainEndpoint];
