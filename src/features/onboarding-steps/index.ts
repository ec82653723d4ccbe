import { slice } from '#kernel/slice';
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
});

export { applyStepsEvent } from './apply.ts';
