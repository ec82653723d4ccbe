import { nextLink, noOrganization, show, wordsFor } from '#features/pages';
import { type RealmSettings, readRealm, settingsOf } from '#features/realms';
import { openByKey } from '#features/sign-in';
import { hasRealm, type PageRequest, type PageResponse, type RealmRequest } from '#kernel/endpoint';
import { parentLives } from '../join.ts';
import { isKeyShape, keyHash } from '../keys.ts';
import { isOver } from '../manage.ts';
import { findInvitationByKey } from '../queries.ts';
import type { InvitationRow } from '../tables.ts';

/** The invitation of a key, or the page that says why the key is invalid. */
type Opened = Invited<InvitationRow> | { readonly refusal: PageResponse };
export interface Invited<Invitation> {
  readonly request: RealmRequest;
  readonly invitation: Invitation;
}

/**
 * Looks up a key. Malformed, unknown and expired keys get different pages; see protocol/invitations#joining, bad key.
 */
export async function openInvitation(request: PageRequest, key: string, isLink: boolean): Promise<Opened> {
  if (!hasRealm(request)) return { refusal: noOrganization(request) };
  const { realm, context } = request;
  if (!isKeyShape(key)) return { refusal: badLink(request, 'join.malformed', 'join.copyWhole') };
  const find = () =>
    context.store.in(realm).read(async (tx) => {
      const invitation = await findInvitationByKey(tx, keyHash(key));
      return invitation && { invitation, parent: await parentLives(tx, invitation) };
    });
  const found = await openByKey(request, find);
  if (!found || (found.invitation.invitation_kind === 'link') !== isLink)
    return {
      refusal: badLink(request, 'join.unknown', 'join.checkAddress'),
    };
  const { invitation, parent } = found;
  if (invitation.invitation_state !== 'pending' || !parent || isOver(invitation, context.clock.now()))
    return {
      refusal: badLink(request, 'common.linkOver', 'join.over'),
    };
  return { request, invitation };
}

/** The page for a link that lets nobody join. */
export function badLink(
  request: PageRequest,
  title: 'common.linkOver' | 'join.malformed' | 'join.unknown' | 'join.exists',
  lede: 'join.over' | 'join.revoked' | 'join.copyWhole' | 'join.checkAddress' | 'join.existsLede',
): PageResponse {
  const { t, language } = wordsFor(request);
  const body = nextLink(t('common.logIn'), '/login/');
  return show(request, { language, title: t(title), lede: t(lede), status: 404, body });
}

/**
 * In an organization that needs no invitation, an invalid link is treated like none. See protocol/invitations#joining.
 */
export async function openLink(
  request: PageRequest,
): Promise<Invited<InvitationRow | undefined> | { refusal: PageResponse }> {
  const opened = await openInvitation(request, request.path['key'] ?? '', true);
  if (!('refusal' in opened) || !hasRealm(request)) return opened;
  return (await settingsFor(request)).invite_required ? opened : { request, invitation: undefined };
}

export async function settingsFor({ context, realm }: RealmRequest): Promise<RealmSettings> {
  return settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
}
