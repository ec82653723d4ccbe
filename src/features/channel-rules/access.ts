import { type AccessedChannel, accessChannel, InvalidChannelId, mayAdminister, mayRead } from '#features/channels';
import type { ActorReadTx } from '#kernel/auth';
import { InsufficientPermission } from '#kernel/errors';
import type { ChannelId } from '#kernel/ids';

/**
 * Returns a channel whose rules the caller may see: one that they may read or administer. See
 * protocol/bots#channel-rules.
 */
export async function accessToSee(tx: ActorReadTx, id: ChannelId): Promise<AccessedChannel> {
  const accessed = await accessChannel(tx, id, { needsGroups: true });
  if (!mayRead(accessed.channel, accessed.access) && !mayAdminister(accessed.channel, accessed.access))
    throw InvalidChannelId();
  return accessed;
}

/** Returns a channel whose rules the caller may change: one that they administer. */
export async function accessToChange(tx: ActorReadTx, id: ChannelId): Promise<AccessedChannel> {
  const accessed = await accessToSee(tx, id);
  if (!mayAdminister(accessed.channel, accessed.access)) throw InsufficientPermission();
  return accessed;
}

/**
 * Returns a channel to which the caller may add a rule: they must be able to read it, too, because a rule forwards its
 * messages.
 */
export async function accessToAdd(tx: ActorReadTx, id: ChannelId): Promise<AccessedChannel> {
  const accessed = await accessToChange(tx, id);
  if (!mayRead(accessed.channel, accessed.access)) throw InsufficientPermission();
  return accessed;
}
