import { applier, slice } from '#kernel/slice';
import { applyStepsEvent } from './apply.ts';
import { stepEndpoints } from './endpoints.ts';
import { stepsChanged } from './events.ts';
import { stepsState } from './state.ts';
import { onboardingStep } from './tables.ts';

export const onboardingSteps = slice({
  name: 'onboarding-steps',
  tables: [onboardingStep],
  endpoints: stepEndpoints,
  events: [stepsChanged],
  state: [stepsState],
  applies: [applier(['onboarding_steps'], ['onboarding_steps'], applyStepsEvent)],
});
