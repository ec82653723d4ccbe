import { event } from '#kernel/events';
import { list } from '#kernel/schema';
import { wireStep } from './wire.ts';

/** Somebody has read a hint; contains the remaining hints. See protocol/events#own-data. */
export const stepsChanged = event({
  type: 'onboarding_steps',
  source: 'protocol/events#own-data',
  payload: { onboarding_steps: list(wireStep) },
});
