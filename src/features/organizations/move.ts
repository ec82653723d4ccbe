import { findRealmBySubdomain, lockRealm, setRealmSubdomain, upsertFormerSubdomain } from '#features/realms';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { lockLog } from '#kernel/events';

/** What can stand before the host name; nothing at all for the root domain. */
const SUBDOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)?$/;

/** Why an organization can not have a subdomain; undefined when it can. */
export function subdomainFault(subdomain: string): string | undefined {
  return SUBDOMAIN.test(subdomain) ? undefined : `"${subdomain}" is not a label of a host name`;
}

/**
 * Gives an organization another subdomain. Its former ones lead to it until another organization takes one; false when
 * there is an organization already, or it is its own. For operators. See protocol/organizations#moving.
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
    // Two at once: the other one has it now.
    if (context.store.dialect.isDuplicate(error)) return false;
    throw error;
  }
}
