import type { Actor } from '#kernel/auth';
import type { Context, ReadContext, ZoomService } from '#kernel/context';
import type { UserId } from '#kernel/ids';
import { keepGrant, removeGrant } from './actions.ts';
import * as errors from '../errors.ts';
import { findSealedGrant } from '../queries.ts';
import { askGrant, isFresh, openGrant, sealGrant } from './grant.ts';
import { askMeeting, isTokenRefused, joinUrl } from './meeting.ts';

/** A grant that counts now. */
interface Usable {
  readonly access: string;
  readonly sealed: string;
}

/** Renewals under way, by user: Zoom takes the token of a renewal once. */
const renewals = new WeakMap<ReadContext['calls'], Map<UserId, Promise<Usable>>>();

/** Makes a meeting in the Zoom account that the actor has connected; where to join it. See protocol/organizations#zoom. */
export async function createOwnCall(
  context: Context,
  zoom: ZoomService,
  actor: Actor,
  isVideo: boolean,
): Promise<string> {
  const { access, sealed } = await usableGrant(context, zoom, actor);
  const answer = await askMeeting(context, zoom, access, 'me', isVideo);
  if (isTokenRefused(answer)) return forget(context, actor, sealed);
  const url = joinUrl(answer);
  if (url === undefined) throw errors.ZoomFailed();
  return url;
}

async function usableGrant(context: Context, zoom: ZoomService, actor: Actor): Promise<Usable> {
  const sealed = await find(context, actor);
  if (sealed === undefined) throw errors.ZoomTokenInvalid();
  const grant = await openGrant(context, sealed);
  if (!grant) return forget(context, actor, sealed);
  if (isFresh(context, grant)) return { access: grant.access, sealed };
  return together(context, actor.userId, () => renew(context, zoom, actor, sealed, grant.renewal));
}

async function renew(
  context: Context,
  zoom: ZoomService,
  actor: Actor,
  sealed: string,
  refresh_token: string,
): Promise<Usable> {
  const grant = await askGrant(context, zoom, { grant_type: 'refresh_token', refresh_token });
  if (grant === 'failed') throw errors.ZoomFailed();
  if (grant === 'refused') return renewedElsewhere(context, actor, sealed);
  const renewed = await sealGrant(context, grant);
  await keepGrant(context, actor, renewed);
  return { access: grant.access, sealed: renewed };
}

/** Another process may have renewed the grant meanwhile; otherwise the person has ended it at Zoom. */
async function renewedElsewhere(context: Context, actor: Actor, sealed: string): Promise<Usable> {
  const now = await find(context, actor);
  const grant = now === undefined || now === sealed ? undefined : await openGrant(context, now);
  return now !== undefined && grant ? { access: grant.access, sealed: now } : forget(context, actor, sealed);
}

async function forget(context: Context, actor: Actor, sealed: string): Promise<never> {
  await removeGrant(context, actor, sealed);
  throw errors.ZoomTokenInvalid();
}

function find({ store }: Context, { realmId, userId }: Actor): Promise<string | undefined> {
  return store.of(realmId).query((tx) => findSealedGrant(tx, userId));
}

/** One renewal of a user's grant at a time, for all of the user's calls that wait for it. */
async function together({ calls }: Context, userId: UserId, run: () => Promise<Usable>): Promise<Usable> {
  const running = renewals.get(calls) ?? new Map<UserId, Promise<Usable>>();
  renewals.set(calls, running);
  const known = running.get(userId);
  if (known) return known;
  const begun = run().finally(() => running.delete(userId));
  running.set(userId, begun);
  return begun;
}
