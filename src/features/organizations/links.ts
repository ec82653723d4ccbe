import { listRealms } from '#features/realms';
import { makeOneTimeLink } from '#features/sign-in';
import { asId, type RealmId } from '#kernel/ids';
import type { Kit } from '#kernel/kit';

/** Realm of a link from before there is one. */
export const NO_REALM = asId<RealmId>(0);
/** Seconds that a link to a new organization is good for: a week. */
const CREATION_SECONDS = 7 * 86_400;

/** A one-time link to the page that makes the first organization; undefined when there is one already. */
export async function firstOrganizationLink(kit: Kit): Promise<string | undefined> {
  return kit.store.write(async (tx) => {
    if ((await listRealms(tx)).length > 0) return undefined;
    const purpose = { realm_id: NO_REALM, user_id: null, purpose: 'organization', seconds: CREATION_SECONDS } as const;
    return `${kit.server.externalUrl}/new/${await makeOneTimeLink(kit.clock, tx, purpose)}`;
  });
}
