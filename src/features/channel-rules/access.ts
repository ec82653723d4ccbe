import { type AccessedChannel, accessChannel, InvalidChannelId, mayAdminister, mayRead } from '#features/channels';
import type { ActorReadTx } from '#kernel/auth';
import { InsufficientPermission } from '#kernel/errors';
import type { ChannelId } from '#kernel/ids';

/** A channel whose rules the caller may see: one that they read or administer. See protocol/bots#channel-rules. */
export async function accessToSee(tx: ActorReadTx, id: ChannelId): Promise<AccessedChannel> {
  const accessed = await accessChannel(tx, id, { needsGroups: true });
  if (!mayRead(accessed.channel, accessed.access) && !mayAdminister(accessed.channel, accessed.access))
    throw InvalidChannelId();
  return accessed;
}

/** A channel whose rules the caller may change: one that they administer. */
export async function accessToChange(tx: ActorReadTx, id: ChannelId): Promise<AccessedChannel> {
  const accessed = await accessToSee(tx, id);
  if (!mayAdminister(accessed.channel, accessed.access)) throw InsufficientPermission();
  return accessed;
}

/** As `accessToChange`, for who reads the messages too: a rule hands them on. */
export async function accessToAdd(tx: ActorReadTx, id: ChannelId): Promise<AccessedChannel> {
  const accessed = await accessToChange(tx, id);
  if (!mayRead(accessed.channel, accessed.access)) throw InsufficientPermission();
  return accessed;
}
