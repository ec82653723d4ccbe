import { ACTIVE_OFFSET_SECONDS, type Seen } from './rules.ts';
import type { LegacyDevice, LegacyPresence, ModernPresence } from './wire.ts';

/** The two times of the modern form; the day somebody joined replaces a missing one. */
export function toModern(seen: Seen, dateJoined: number): ModernPresence {
  return { active_timestamp: seen.last_active_at ?? dateJoined, idle_timestamp: seen.last_connected_at };
}

/** The status of the older form, which depends on the two times, not on the present time. */
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
