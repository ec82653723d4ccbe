import { event, everyoneInRealm } from '#kernel/events';
import { str } from '#kernel/schema';
import { wireDomain } from './wire.ts';

const declaration = { type: 'realm_domains', source: 'protocol/events#organization', audience: () => everyoneInRealm };

/** A domain was added. See protocol/events#organization. */
export const domainAdded = event({ ...declaration, op: 'add', payload: { realm_domain: wireDomain } });

/** The domains below one count now, or count no more. See protocol/events#organization. */
export const domainChanged = event({ ...declaration, op: 'change', payload: { realm_domain: wireDomain } });

/** A domain was removed. See protocol/events#organization. */
export const domainRemoved = event({ ...declaration, op: 'remove', payload: { domain: str() } });

export const domainEvents = [domainAdded, domainChanged, domainRemoved];
