import type { WireStep } from './wire.ts';

/** What a client keeps of hints. */
interface StepsState {
  readonly onboarding_steps: readonly WireStep[];
}

/** The hints after an event, which brings all that remain. */
export function applyStepsEvent(_state: StepsState, { onboarding_steps }: StepsState): StepsState {
  return { onboarding_steps };
}
