import { storeAvatar } from '#features/avatars';
import { changeMembership, directMembers, findGroupByName } from '#features/groups';
import { administrationOf } from '#features/people';
import { findIdentity, setIdentityPicture } from '#features/sign-in';
import { findUser, type UserRow } from '#features/users';
import type { Context } from '#kernel/context';
import type { RealmRequest } from '#kernel/endpoint';
import { ApiError } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import type { OpenidProvider, SamlProvider } from '#kernel/identity';
import { isBadImage } from '#kernel/images';
import { defineJob, enqueue } from '#kernel/jobs';
import { OutboundFault } from '#kernel/outbound';
import { Role } from '#kernel/permissions';
import { readRealm, realmRefOf } from '#features/realms';
import type { Vouched } from './vouched.ts';

/** Most bytes of a picture, most milliseconds for fetching it, and most characters of its address. */
const MAX_BYTES = 5_242_880;
const TIMEOUT_MS = 8_000;
const MAX_URL = 2_000;

/** A provider, and its claims about the person. */
interface Claims {
  readonly provider: OpenidProvider | SamlProvider;
  readonly vouched: Vouched;
}

/**
 * Gives somebody who signs in with a provider the user groups and the picture that it claims. See
 * protocol/authentication#joining.
 */
export async function applyClaims(request: RealmRequest, user: UserRow, { provider, vouched }: Claims): Promise<void> {
  if (vouched.groups) {
    const groups = new Set(vouched.groups);
    for (const [name, sources] of Object.entries(provider.groups ?? {}))
      await applyGroup(request, user, { name, belongs: sources.some((group) => groups.has(group)) });
  }
  if (provider.pictures !== false) await askForPicture(request, user, vouched);
}

/**
 * Adds somebody to a group or removes them. The operator named the group, so it does not matter who may manage it. A
 * missing group blocks no log-in.
 */
async function applyGroup(
  { context, realm }: RealmRequest,
  { id }: UserRow,
  { name, belongs }: { readonly name: string; readonly belongs: boolean },
): Promise<void> {
  const found = await context.store.in(realm).query(async (tx) => {
    const group = await findGroupByName(tx, name);
    const members = group && (await directMembers(tx, [group.id])).get(group.id);
    return group && { group, isMember: members?.includes(id) === true };
  });
  if (found?.group.group_kind !== 'named' || found.group.deactivated || found.isMember === belongs) return;
  const operator = { ...(await administrationOf(context, realm)), role: Role.owner };
  const change = { add: belongs ? [id] : [], delete: belongs ? [] : [id], add_subgroups: [], delete_subgroups: [] };
  try {
    await changeMembership(context, operator, found.group.id, change);
  } catch (error) {
    // Another log-in of the same person changed the membership first, or groups may have no more members.
    if (!(error instanceof ApiError)) throw error;
  }
}

/**
 * Queues the download of a picture after the log-in, once for each address that the provider names. A picture that
 * people chose themselves stays.
 */
async function askForPicture(
  { context, realm }: RealmRequest,
  user: UserRow,
  { picture, ...person }: Vouched,
): Promise<void> {
  if (picture === undefined || picture.length > MAX_URL || !picture.startsWith('https://')) return;
  await context.store.in(realm).write(async (tx) => {
    const identity = await findIdentity(tx, person);
    if (!identity || identity.picture_url === picture) return;
    await setIdentityPicture(tx, identity.id, picture);
    const isOwn = identity.picture_url === null && user.avatar_source === 'U';
    if (!isOwn) await enqueue(tx, pictureJob, { user_id: user.id, url: picture });
  });
}

/** Fetches a picture with the bounded client for untrusted addresses; skips what is no picture. */
export const pictureJob = defineJob<{ readonly user_id: UserId; readonly url: string }, Context>(
  'provider-picture',
  async ({ user_id, url }, { context, realmId, finish }) => {
    const { realm, user } = await context.store.of(realmId).query(async (tx) => ({
      realm: realmRefOf(await readRealm(tx), context.server),
      user: await findUser(tx, user_id),
    }));
    try {
      if (user?.is_active) {
        const reply = await context.outbound.fetch({ url, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
        if (reply.status === 200)
          await storeAvatar(context, { realm, userId: user_id }, await context.images.makeAvatar(reply.body, user_id));
      }
    } catch (error) {
      if (!(error instanceof OutboundFault) && !(error instanceof Error && isBadImage(error))) throw error;
    }
    await context.store.write(finish);
  },
  'previews',
);
