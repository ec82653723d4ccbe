import type { GroupId } from '#kernel/ids';
import { isAdministrator, isGuest } from '#kernel/permissions';
import type { ChannelRow } from './core/index.ts';

/** Who asks, as far as access to a channel depends on it. A spectator has role null. */
export interface ChannelAccess {
  readonly role: number | null;
  readonly isSubscribed: boolean;
  /** Every group the user is in; needed only where a channel is private or its permissions are asked for. */
  readonly groups: ReadonlySet<GroupId>;
}

type AccessFacts = Pick<
  ChannelRow,
  | 'invite_only'
  | 'is_web_public'
  | 'is_archived'
  | 'history_public_to_subscribers'
  | 'can_administer_channel_group'
  | 'can_add_subscribers_group'
  | 'can_subscribe_group'
>;

/** One way to read a channel: a flag of the channel, a subscription, or a group that has one of its permissions. */
export type WayToRead =
  | { readonly flag: 'is_web_public' | 'invite_only'; readonly is: boolean }
  | { readonly permission: 'can_add_subscribers_group' | 'can_subscribe_group' }
  | 'subscription';

const GUEST_WAYS: readonly WayToRead[] = [{ flag: 'is_web_public', is: true }, 'subscription'];
const MEMBER_WAYS: readonly WayToRead[] = [
  { flag: 'invite_only', is: false },
  ...GUEST_WAYS,
  { permission: 'can_add_subscribers_group' },
  { permission: 'can_subscribe_group' },
];

/**
 * The ways to read a channel's messages, of which one is enough; `mayRead` and the conditions of queries derive from
 * them. See protocol/channels#access.
 */
export function waysToRead(role: number | null): readonly WayToRead[] {
  return role === null || isGuest({ role }) ? GUEST_WAYS : MEMBER_WAYS;
}

/** Whether somebody may read what is said in a channel. See protocol/channels#access. */
export function mayRead(channel: AccessFacts, access: ChannelAccess): boolean {
  return waysToRead(access.role).some((way) => {
    if (way === 'subscription') return access.isSubscribed;
    return 'flag' in way ? channel[way.flag] === way.is : access.groups.has(channel[way.permission]);
  });
}

/** Whether every member may read a channel, and so know of it, whatever their groups and subscriptions. */
export function isOpenToMembers(channel: AccessFacts): boolean {
  return MEMBER_WAYS.some((way) => way !== 'subscription' && 'flag' in way && channel[way.flag] === way.is);
}

/** Whether somebody may know of a channel: its name, description and settings. See protocol/channels#access. */
export function mayKnow(channel: AccessFacts, access: ChannelAccess): boolean {
  return mayRead(channel, access) || mayAdminister(channel, access);
}

/** Whether somebody may administer a channel. See protocol/channels#access. */
export function mayAdminister(channel: AccessFacts, access: ChannelAccess): boolean {
  if (access.role === null || isGuest({ role: access.role })) return false;
  return isAdministrator({ role: access.role }) || access.groups.has(channel.can_administer_channel_group);
}

/** The permissions that let somebody subscribe others to one channel. */
interface SubscribingRights {
  readonly isAdministrator: boolean;
  /** Whether they hold a permission of the organization. */
  readonly holds: (name: 'can_add_subscribers_group') => boolean;
  /** Whether they hold a permission of the channel. */
  readonly holdsIn: (name: 'can_administer_channel_group' | 'can_add_subscribers_group') => boolean;
}

/** Whether somebody who may read a channel may subscribe others to it. See protocol/channels#access. */
export function mayAddSubscribers({ isAdministrator, holds, holdsIn }: SubscribingRights): boolean {
  return (
    isAdministrator ||
    holds('can_add_subscribers_group') ||
    holdsIn('can_administer_channel_group') ||
    holdsIn('can_add_subscribers_group')
  );
}

/** Whether somebody who may read a channel reads its whole past, or only what came while subscribed. */
export function hasSharedHistory(channel: AccessFacts): boolean {
  return channel.history_public_to_subscribers || !channel.invite_only;
}

/** Colours handed out to new subscriptions in turn. See protocol/subscriptions#subscription-object. */
export const PALETTE: readonly string[] = [
  '#76ce90',
  '#fae589',
  '#a6c7e5',
  '#e79ab5',
  '#bfd56f',
  '#f4ae55',
  '#b0a5fd',
  '#addfe5',
  '#f5ce6e',
  '#c2726a',
  '#94c849',
  '#bd86e5',
  '#ee7e4a',
  '#a6dcbf',
  '#95a5fd',
  '#53a063',
  '#9987e1',
  '#e4523d',
  '#c2c2c2',
  '#4f8de4',
  '#c6a8ad',
  '#e7cc4d',
  '#c8bebf',
  '#a47462',
];

/**
 * Picks the colour of a new subscription: the first of the palette that the user does not use, else one that follows
 * from the channel.
 */
export function pickColor(used: ReadonlySet<string>, recipientId: number): string {
  return PALETTE.find((color) => !used.has(color)) ?? PALETTE[recipientId % PALETTE.length] ?? '#c2c2c2';
}

/**
 * A colour as it is stored and sent: # and six lower-case digits. Three digits stand for pairs.
 * See protocol/subscriptions#lists-at-registering.
 */
export function wireColor(color: string): string {
  const digits = color.slice(1).toLowerCase();
  if (digits.length === 3) return `#${[...digits].map((digit) => digit + digit).join('')}`;
  return `#${digits.padEnd(6, '0')}`;
}

/** Pairs of a person and a channel that are worked on at once, before other requests are served. */
const PAIRS_AT_ONCE = 2_500;

/** How many channels these people join or leave at once. */
export function channelsAtOnce({ length }: readonly unknown[]): number {
  return Math.max(1, Math.floor(PAIRS_AT_ONCE / Math.max(1, length)));
}
