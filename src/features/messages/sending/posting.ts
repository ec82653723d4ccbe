import { type ChannelRow, hasSharedHistory, mayRead, type ChannelAccess } from '#features/channels';
import { isGuest } from '#kernel/permissions';

/**
 * Whether access lets somebody send to a channel, once they pass its posting permission. See protocol/messages#posting,
 * d to j.
 */
export function maySend(channel: ChannelRow, access: ChannelAccess): boolean {
  if (channel.is_archived) return false;
  if (channel.is_web_public || access.isSubscribed) return true;
  if (access.role === null || isGuest({ role: access.role })) return false;
  return !channel.invite_only || (hasSharedHistory(channel) && mayRead(channel, access));
}
