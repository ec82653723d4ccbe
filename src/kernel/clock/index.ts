export type { Clock, Timer } from './clock.ts';
export { repeat } from './repeat.ts';
export { ClockSteps } from './steps.ts';
export { systemClock } from './system-clock.ts';
export { TestClock } from './test-clock.ts';
