import { SECONDS_PER_DAY } from '#kernel/clock';
import { listRealms } from '#features/realms';
import { makeOneTimeLink } from '#features/sign-in';
import { asId, type RealmId } from '#kernel/ids';
import type { Context } from '#kernel/context';

/** Realm ID of links that are made before there is an organization. */
export const NO_REALM = asId<RealmId>(0);
/** Seconds that a link for a new organization is valid: a week. */
const CREATION_SECONDS = 7 * SECONDS_PER_DAY;

/** Makes a one-time link to the page that creates the first organization; undefined if there is one already. */
export async function firstOrganizationLink(context: Context): Promise<string | undefined> {
  return context.store.of(NO_REALM).write(async (tx) => {
    if ((await listRealms(tx)).length > 0) return undefined;
    const purpose = { realm_id: NO_REALM, user_id: null, purpose: 'organization', seconds: CREATION_SECONDS } as const;
    return `${context.server.externalUrl}/new/${await makeOneTimeLink(context.clock, tx, purpose)}`;
  });
}
