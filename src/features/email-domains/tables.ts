import type { Id, RealmId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type DomainId = Id<'Domain'>;

/** Domains to which an organization may restrict its users' addresses. */
export const realmDomain = table('realm_domain', {
  id: col.id<DomainId>(),
  realm_id: col.ref<RealmId>(),
  /** In lower case. */
  domain: col.text(),
  /** Whether its subdomains are allowed, too. */
  allow_subdomains: col.bool(),
});
export type DomainRow = SelectOf<typeof realmDomain>;

declare module '#kernel/store' {
  interface Tables {
    realm_domain: RowOf<typeof realmDomain>;
  }
}
