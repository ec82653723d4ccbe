import { findRealmBySubdomain, lockRealm, setRealmSubdomain, upsertFormerSubdomain } from '#features/realms';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { lockLog } from '#kernel/events';

/** Valid subdomains; empty for the root domain. */
const SUBDOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)?$/;

/** Why an organization cannot have a subdomain; undefined if it can. */
export function subdomainFault(subdomain: string): string | undefined {
  return SUBDOMAIN.test(subdomain) ? undefined : `"${subdomain}" is not a label of a host name`;
}

/**
 * Gives an organization another subdomain. Its former subdomains redirect to it until another organization takes them.
 * Returns false if another organization has the subdomain, or it is the organization's own already. For operators. See
 * protocol/organizations#moving.
 */
export async function moveOrganization(
  context: Context,
  realm: Pick<RealmRef, 'id'>,
  subdomain: string,
): Promise<boolean> {
  try {
    return await context.store.of(realm.id).write(async (tx) => {
      await lockLog(tx);
      const { string_id } = await lockRealm(tx);
      if (await findRealmBySubdomain(tx, subdomain)) return false;
      await setRealmSubdomain(tx, subdomain);
      await upsertFormerSubdomain(tx, string_id, subdomain);
      return true;
    });
  } catch (error) {
    // Another organization took the subdomain at the same time.
    if (context.store.dialect.isDuplicate(error)) return false;
    throw error;
  }
}
