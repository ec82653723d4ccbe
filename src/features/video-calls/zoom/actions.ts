import type { Actor } from '#kernel/auth';
import type { Context, ZoomService } from '#kernel/context';
import { lockLog } from '#kernel/events';
import type { WriteTx } from '#kernel/store';
import { zoomTokenChanged } from '../events.ts';
import { deleteSealedGrant, findSealedGrant, setSealedGrant } from '../queries.ts';
import { askGrant, sealGrant } from './grant.ts';

/** Connects the actor to the Zoom account that a code stands for. See protocol/organizations#zoom. */
export async function addZoomAccount(
  context: Context,
  zoom: ZoomService,
  actor: Actor,
  form: { readonly code: string; readonly redirect_uri: string },
): Promise<'connected' | 'refused' | 'failed'> {
  const grant = await askGrant(context, zoom, { grant_type: 'authorization_code', ...form });
  if (typeof grant === 'string') return grant;
  await keepGrant(context, actor, await sealGrant(context, grant));
  return 'connected';
}

/** Keeps what was granted last; the actor's clients hear of it when nothing was connected before. */
export function keepGrant(context: Context, actor: Actor, sealed: string): Promise<void> {
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const isKnown = (await findSealedGrant(tx, actor.userId)) !== undefined;
    await setSealedGrant(tx, actor.userId, sealed);
    if (!isKnown) announce(tx, actor, true);
  });
}

/** Forgets a grant that Zoom does not take any more, unless there is a newer one by now. */
export function removeGrant(context: Context, actor: Actor, sealed: string): Promise<void> {
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    if (await deleteSealedGrant(tx, actor.userId, sealed)) announce(tx, actor, false);
  });
}

function announce(tx: WriteTx, { realmId, userId }: Actor, value: boolean): void {
  tx.emit(zoomTokenChanged(realmId, { value }, { audience: { users: [userId] } }));
}
