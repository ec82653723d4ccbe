import type { Actor } from '#kernel/auth';
import type { Context, ReadContext } from '#kernel/context';
import type { UserId } from '#kernel/ids';
import { keepGrant, removeGrant } from './actions.ts';
import * as errors from '../errors.ts';
import { findSealedGrant } from '../queries.ts';
import { askGrant, isFresh, openGrant, sealGrant } from './grant.ts';
import { askMeeting, isTokenRefused, joinUrl, type ZoomContext } from './meeting.ts';

/** A grant that is valid now. */
interface Usable {
  readonly access: string;
  readonly sealed: string;
}

/** Renewals under way, by user, because Zoom accepts a refresh token once. */
const renewals = new WeakMap<ReadContext['calls'], Map<UserId, Promise<Usable>>>();

/**
 * Creates a meeting in the actor's own Zoom account, and returns the address to join it. See
 * protocol/organizations#zoom.
 */
export async function createOwnCall(context: ZoomContext, actor: Actor, isVideo: boolean): Promise<string> {
  const { access, sealed } = await usableGrant(context, actor);
  const answer = await askMeeting(context, access, { host: 'me', isVideo });
  if (isTokenRefused(answer)) return forget(context, actor, sealed);
  const url = joinUrl(answer);
  if (url === undefined) throw errors.ZoomFailed();
  return url;
}

async function usableGrant(context: ZoomContext, actor: Actor): Promise<Usable> {
  const sealed = await find(context, actor);
  if (sealed === undefined) throw errors.ZoomTokenInvalid();
  const grant = await openGrant(context, sealed);
  if (!grant) return forget(context, actor, sealed);
  if (isFresh(context, grant)) return { access: grant.access, sealed };
  return together(context, actor.userId, () => renew(context, actor, { sealed, refresh_token: grant.renewal }));
}

async function renew(
  context: ZoomContext,
  actor: Actor,
  { sealed, refresh_token }: { readonly sealed: string; readonly refresh_token: string },
): Promise<Usable> {
  const grant = await askGrant(context, { grant_type: 'refresh_token', refresh_token });
  if (grant === 'failed') throw errors.ZoomFailed();
  if (grant === 'refused') return renewedElsewhere(context, actor, sealed);
  const renewed = await sealGrant(context, grant);
  await keepGrant(context, actor, renewed);
  return { access: grant.access, sealed: renewed };
}

/**
 * Returns the grant that another process has renewed; otherwise the person has revoked it at Zoom, and it is deleted.
 */
async function renewedElsewhere(context: Context, actor: Actor, sealed: string): Promise<Usable> {
  const now = await find(context, actor);
  const grant = now === undefined || now === sealed ? undefined : await openGrant(context, now);
  return now !== undefined && grant ? { access: grant.access, sealed: now } : forget(context, actor, sealed);
}

async function forget(context: Context, actor: Actor, sealed: string): Promise<never> {
  await removeGrant(context, actor, sealed);
  throw errors.ZoomTokenInvalid();
}

function find({ store }: Context, actor: Actor): Promise<string | undefined> {
  return store.as(actor).query((tx) => findSealedGrant(tx));
}

/** Runs one renewal of a user's grant at a time, shared by all of the user's calls that wait for it. */
async function together({ calls }: Context, userId: UserId, run: () => Promise<Usable>): Promise<Usable> {
  const running = renewals.get(calls) ?? new Map<UserId, Promise<Usable>>();
  renewals.set(calls, running);
  const known = running.get(userId);
  if (known) return known;
  const begun = run().finally(() => running.delete(userId));
  running.set(userId, begun);
  return begun;
}
