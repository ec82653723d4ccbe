import { event } from '#kernel/events';
import { list } from '#kernel/schema';
import { wireStep } from './wire.ts';

/** Somebody has read a hint; those that remain. Contract register 4.4.11. */
export const stepsChanged = event({
  type: 'onboarding_steps',
  source: 'contract register 4.4.11',
  payload: { onboarding_steps: list(wireStep) },
});
