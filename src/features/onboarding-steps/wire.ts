import { literal, object, type SchemaOf, str } from '#kernel/schema';

/** A hint that clients show once. Contract register 2.3. */
export const wireStep = object({ type: literal('one_time_notice'), name: str() });
export type WireStep = SchemaOf<typeof wireStep>;
