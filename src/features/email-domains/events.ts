import { event, everyoneInRealm } from '#kernel/events';
import { str } from '#kernel/schema';
import { wireDomain } from './wire.ts';

const declaration = { type: 'realm_domains', source: 'protocol/events#organization', audience: () => everyoneInRealm };

/** A domain was added. See protocol/events#organization. */
export const domainAdded = event({
  ...declaration,
  op: 'add',
  payload: { realm_domain: wireDomain },
  audit: ({ realm_domain }) => domainAct('added', realm_domain.domain, realm_domain),
});

/** A domain now includes its subdomains, or no longer does. See protocol/events#organization. */
export const domainChanged = event({
  ...declaration,
  op: 'change',
  payload: { realm_domain: wireDomain },
  audit: ({ realm_domain }) => domainAct('changed', realm_domain.domain, realm_domain),
});

/** A domain was removed. See protocol/events#organization. */
export const domainRemoved = event({
  ...declaration,
  op: 'remove',
  payload: { domain: str() },
  audit: ({ domain }) => domainAct('removed', domain),
});

function domainAct(what: string, name: string, after?: unknown) {
  return { action: `domain.${what}`, target: { kind: 'domain', name }, after };
}

export const domainEvents = [domainAdded, domainChanged, domainRemoved];
