import { bool, object, type SchemaOf, str } from '#kernel/schema';

/** A domain as clients see it. See protocol/organizations#domains. */
export const wireDomain = object({ domain: str(), allow_subdomains: bool() }).meta({ id: 'EmailDomain' });
export type WireDomain = SchemaOf<typeof wireDomain>;

export function toWireDomain({ domain, allow_subdomains }: WireDomain): WireDomain {
  return { domain, allow_subdomains };
}
