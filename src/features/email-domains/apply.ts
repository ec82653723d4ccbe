import type { WireDomain } from './wire.ts';

/** The part of the client's state that these events change. */
interface DomainsState {
  readonly realm_domains: readonly WireDomain[];
}

type DomainEvent =
  | { readonly op: 'add' | 'change'; readonly realm_domain: WireDomain }
  | { readonly op: 'remove'; readonly domain: string };

/** Returns the domains after an event. */
export function applyDomainEvent({ realm_domains }: DomainsState, event: DomainEvent): DomainsState {
  switch (event.op) {
    case 'add':
      return { realm_domains: [...realm_domains, event.realm_domain] };
    case 'change':
      return {
        realm_domains: realm_domains.map((one) =>
          one.domain === event.realm_domain.domain ? event.realm_domain : one,
        ),
      };
    case 'remove':
      return { realm_domains: realm_domains.filter((one) => one.domain !== event.domain) };
  }
}
