import type { ChannelId, UserId } from '#kernel/ids';
import type { MembershipIndex, Period } from './membership-index.ts';
import type { Viewer } from './viewer.ts';

/** Subscribers of a channel at the entry's position in the log. */
export interface ChannelAudience {
  readonly id: ChannelId;
  /** Private: a former subscriber gets nothing more, not even what was sent while subscribed. */
  readonly private?: true;
  /** Ascending IDs of the messages concerned, if it matters who has received one of them. */
  readonly messages?: readonly number[];
  /** `any`: former subscribers who received one count too. `required`: subscribers must have received one. */
  readonly received?: 'any' | 'required';
  /** Guests receive it only while they are subscribed, also those who are among `users` or received a message. */
  readonly guests?: 'subscribed';
}

/**
 * Who receives an event: everybody in any of these parts, minus `except`. It is small, so that sending costs the same
 * however many people receive it.
 */
export interface Audience {
  /** Every active user. */
  readonly everyone?: true;
  /** Every active user except guests. */
  readonly members?: true;
  /** Administrators and owners. */
  readonly admins?: true;
  readonly users?: readonly UserId[];
  readonly channel?: ChannelAudience;
  /** Also queues that ask for messages of all public channels; never those of guests. */
  readonly listeners?: true;
  readonly except?: readonly UserId[];
}

export const everyoneInRealm: Audience = { everyone: true };
export const nonGuests: Audience = { members: true };
export const administrators: Audience = { admins: true };
/** Named users only. */
export const onlyUsers = (...users: readonly UserId[]): Audience => ({ users });

const GUEST = 600;
const ADMINISTRATOR = 200;

/** The parts of an entry that decide who receives it. */
export interface Addressed {
  readonly id: number;
  readonly details: { readonly audience: Audience };
  readonly users: ReadonlySet<number>;
  readonly except: ReadonlySet<number>;
}

/** Whether `viewer` receives the entry as one of its audience (`listeners` aside). */
export function receives(entry: Addressed, viewer: Viewer, index: MembershipIndex | undefined): boolean {
  if (!viewer.is_active || entry.except.has(viewer.user_id)) return false;
  const { audience } = entry.details;
  const role = strictestRole(entry.id, viewer);
  if (audience.channel?.guests && role >= GUEST) return isSubscribed(entry.id, index?.periodsOf(viewer.user_id) ?? []);
  if (audience.everyone || entry.users.has(viewer.user_id)) return true;
  if (audience.members && role < GUEST) return true;
  if (audience.admins && role <= ADMINISTRATOR) return true;
  return (
    audience.channel !== undefined &&
    index !== undefined &&
    inChannel(entry.id, audience.channel, index, viewer.user_id)
  );
}

/** Whether a queue that listens to all public channels receives the entry although its owner is not addressed. */
export function overhears(entry: Addressed, viewer: Viewer): boolean {
  return entry.details.audience.listeners === true && viewer.is_active && strictestRole(entry.id, viewer) < GUEST;
}

/**
 * Returns the weaker of an account's old and new role for an entry from before the change, so that both must allow
 * receiving it. Higher numbers are weaker roles.
 */
function strictestRole(position: number, viewer: Viewer): number {
  return position <= viewer.role_event_id ? Math.max(viewer.role, viewer.previous_role) : viewer.role;
}

function inChannel(position: number, audience: ChannelAudience, index: MembershipIndex, userId: UserId): boolean {
  const periods = index.periodsOf(userId);
  if (periods.length === 0) return false;
  if (audience.private && periods.at(-1)?.to !== undefined) return false;
  const subscribed = isSubscribed(position, periods);
  const { messages, received } = audience;
  if (!messages || !received) return subscribed;
  const got = periods.some((period) => containsOne(messages, period.first_message_id, period.last_message_id));
  return received === 'any' ? subscribed || got : subscribed && got;
}

/** Whether one of somebody's subscription periods includes a position of the log. */
function isSubscribed(position: number, periods: readonly Period[]): boolean {
  return periods.some(({ from, to }) => from < position && (to === undefined || position <= to));
}

/** Whether an ascending list has a member in (after, upTo]; without `upTo`, in all above `after`. */
function containsOne(ascending: readonly number[], after: number, upTo: number | undefined): boolean {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) > after) high = middle;
    else low = middle + 1;
  }
  const candidate = ascending[low];
  return candidate !== undefined && (upTo === undefined || candidate <= upTo);
}
