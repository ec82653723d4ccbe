import type { Actor, ActorWriteTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { lockLog } from '#kernel/events';
import { zoomTokenChanged } from '../events.ts';
import { deleteSealedGrant, findSealedGrant, setSealedGrant } from '../queries.ts';
import { askGrant, sealGrant } from './grant.ts';
import type { ZoomContext } from './meeting.ts';

/** Connects the actor to the Zoom account of an authorization code. See protocol/organizations#zoom. */
export async function addZoomAccount(
  context: ZoomContext,
  actor: Actor,
  form: { readonly code: string; readonly redirect_uri: string },
): Promise<'connected' | 'refused' | 'failed'> {
  const grant = await askGrant(context, { grant_type: 'authorization_code', ...form });
  if (typeof grant === 'string') return grant;
  await keepGrant(context, actor, await sealGrant(context, grant));
  return 'connected';
}

/** Stores the latest grant; emits an event to the actor's clients if no account was connected before. */
export function keepGrant(context: Context, actor: Actor, sealed: string): Promise<void> {
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const isKnown = (await findSealedGrant(tx)) !== undefined;
    await setSealedGrant(tx, sealed);
    if (!isKnown) announce(tx, true);
  });
}

/** Deletes a grant that Zoom no longer accepts, unless a newer one has replaced it. */
export function removeGrant(context: Context, actor: Actor, sealed: string): Promise<void> {
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    if (await deleteSealedGrant(tx, sealed)) announce(tx, false);
  });
}

function announce(tx: ActorWriteTx, value: boolean): void {
  tx.emit(zoomTokenChanged({ value }, { audience: { users: [tx.actor.userId] } }));
}
