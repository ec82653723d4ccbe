import type { WireStep } from './wire.ts';

/** A client's state about hints. */
interface StepsState {
  readonly onboarding_steps: readonly WireStep[];
}

/** The hints after an event, which contains all that remain. */
export function applyStepsEvent(_state: StepsState, { onboarding_steps }: StepsState): StepsState {
  return { onboarding_steps };
}
