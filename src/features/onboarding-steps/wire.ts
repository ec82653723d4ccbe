import { literal, object, type SchemaOf, str } from '#kernel/schema';

/** A hint that clients show once. See protocol/settings#small-operations. */
export const wireStep = object({ type: literal('one_time_notice'), name: str() }).meta({ id: 'OnboardingStep' });
export type WireStep = SchemaOf<typeof wireStep>;
