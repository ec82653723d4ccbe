import { hasActor } from '#kernel/auth';
import { list, nullable, str } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { readSteps } from './queries.ts';
import { remainingSteps } from './steps.ts';
import { wireStep } from './wire.ts';

/** The hints that the caller has not read; none for spectators. See protocol/settings#small-operations. */
export const stepsState = registerState({
  fetchType: 'onboarding_steps',
  source: 'protocol/settings#small-operations',
  fields: { onboarding_steps: list(wireStep), navigation_tour_video_url: nullable(str()) },
  read: async ({ tx }) => ({
    onboarding_steps: hasActor(tx) ? remainingSteps(await readSteps(tx)) : [],
    navigation_tour_video_url: null,
  }),
});
