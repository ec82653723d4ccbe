import { type ChannelRow, hasSharedHistory, mayRead, type Standing } from '#features/channels';
import { isGuest } from '#kernel/permissions';

/**
 * Whether access lets somebody send to a channel, once its posting permission is held. See protocol/messages#posting, d
 * to j.
 */
export function maySend(channel: ChannelRow, standing: Standing): boolean {
  if (channel.is_archived) return false;
  if (channel.is_web_public || standing.isSubscribed) return true;
  if (standing.role === null || isGuest({ role: standing.role })) return false;
  return !channel.invite_only || (hasSharedHistory(channel) && mayRead(channel, standing));
}
