import { applier, slice } from '#kernel/slice';
import { applyDomainEvent } from './apply.ts';
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
  applies: [applier(['realm_domains'], ['realm_domains'], applyDomainEvent)],
});

export { type EmailFault, emailFault, readEmailRules } from './addresses.ts';
