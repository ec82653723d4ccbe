import { slice } from '#kernel/slice';
import { domainEndpoints } from './endpoints.ts';
import { domainEvents } from './events.ts';
import { domainsState } from './state.ts';
import { realmDomain } from './tables.ts';

export const emailDomains = slice({
  name: 'email-domains',
  tables: [realmDomain],
  endpoints: domainEndpoints,
  events: domainEvents,
  state: [domainsState],
});

export { type EmailFault, emailFault, readEmailRules } from './addresses.ts';
export { applyDomainEvent } from './apply.ts';
