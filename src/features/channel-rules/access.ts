import { type AccessedChannel, accessChannel, InvalidChannelId, mayAdminister, mayRead } from '#features/channels';
import type { Actor, RealmRef } from '#kernel/auth';
import { InsufficientPermission } from '#kernel/errors';
import type { ChannelId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';

/** A channel whose rules the caller may see: one that they read or administer. See protocol/bots#channel-rules. */
export async function accessToSee(
  tx: RealmReadTx,
  realm: RealmRef,
  actor: Actor,
  id: ChannelId,
): Promise<AccessedChannel> {
  const accessed = await accessChannel(tx, realm, actor, id, { needsGroups: true });
  if (!mayRead(accessed.channel, accessed.access) && !mayAdminister(accessed.channel, accessed.access))
    throw InvalidChannelId();
  return accessed;
}

/** A channel whose rules the caller may change: one that they administer. */
export async function accessToChange(
  tx: RealmReadTx,
  realm: RealmRef,
  actor: Actor,
  id: ChannelId,
): Promise<AccessedChannel> {
  const accessed = await accessToSee(tx, realm, actor, id);
  if (!mayAdminister(accessed.channel, accessed.access)) throw InsufficientPermission();
  return accessed;
}

/** As `accessToChange`, for who reads the messages too: a rule hands them on. */
export async function accessToAdd(
  tx: RealmReadTx,
  realm: RealmRef,
  actor: Actor,
  id: ChannelId,
): Promise<AccessedChannel> {
  const accessed = await accessToChange(tx, realm, actor, id);
  if (!mayRead(accessed.channel, accessed.access)) throw InsufficientPermission();
  return accessed;
}
