import { SECONDS_PER_DAY } from '#kernel/clock';
import { listRealms } from '#features/realms';
import { makeOneTimeLink } from '#features/sign-in';
import { asId, type RealmId } from '#kernel/ids';
import type { Context } from '#kernel/context';

/** Realm of a link from before there is one. */
export const NO_REALM = asId<RealmId>(0);
/** Seconds that a link to a new organization is good for: a week. */
const CREATION_SECONDS = 7 * SECONDS_PER_DAY;

/** A one-time link to the page that makes the first organization; undefined when there is one already. */
export async function firstOrganizationLink(context: Context): Promise<string | undefined> {
  return context.store.of(NO_REALM).write(async (tx) => {
    if ((await listRealms(tx)).length > 0) return undefined;
    const purpose = { realm_id: NO_REALM, user_id: null, purpose: 'organization', seconds: CREATION_SECONDS } as const;
    return `${context.server.externalUrl}/new/${await makeOneTimeLink(context.clock, tx, purpose)}`;
  });
}
