import { ACTIVE_OFFSET_SECONDS, type Seen } from './rules.ts';
import type { LegacyDevice, LegacyPresence, ModernPresence } from './wire.ts';

/** The two times; the day somebody joined stands in for a missing one. */
export function toModern(seen: Seen, dateJoined: number): ModernPresence {
  return { active_timestamp: seen.last_active_at ?? dateJoined, idle_timestamp: seen.last_connected_at };
}

/** The older form's status: a function of the two times, not of now. */
export function toLegacyStatus(seen: Seen): { status: 'active' | 'idle'; timestamp: number } {
  const { last_active_at: active, last_connected_at: connected } = seen;
  return active !== null && active + ACTIVE_OFFSET_SECONDS >= connected
    ? { status: 'active', timestamp: active }
    : { status: 'idle', timestamp: connected };
}

export function toLegacyDevice(seen: Seen): LegacyDevice {
  return { client: 'website', ...toLegacyStatus(seen), pushable: false };
}

export function toLegacy(seen: Seen): LegacyPresence {
  return { aggregated: { client: 'website', ...toLegacyStatus(seen) }, website: toLegacyDevice(seen) };
}
