import { anyOf, bool, dict, int, literal, object, oneOf, type SchemaOf } from '#kernel/schema';

/** The two times of the modern form. See protocol/presence#reporting. */
export const modernPresence = object({ active_timestamp: int(), idle_timestamp: int() }).meta({ id: 'Presence' });
export type ModernPresence = SchemaOf<typeof modernPresence>;

const website = literal('website');
const status = oneOf('active', 'idle');

/** The older form in events and beside `aggregated`: one made-up device. The terminal and Python clients read it. */
export const legacyDevice = object({ client: website, status, timestamp: int(), pushable: bool() });
/** The older form of one person. */
export const legacyPresence = object({
  aggregated: object({ client: website, status, timestamp: int() }),
  website: legacyDevice,
}).meta({ id: 'LegacyPresence' });

export type LegacyDevice = SchemaOf<typeof legacyDevice>;
export type LegacyPresence = SchemaOf<typeof legacyPresence>;

/** Presences of either form, by user ID or by address. */
export const presences = dict(anyOf(modernPresence, legacyPresence));
export type Presences = SchemaOf<typeof presences>;
