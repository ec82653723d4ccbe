export { backOff, repeat } from './repeat.ts';
export { type Clock, commonClock, SECONDS_PER_DAY, type Timer } from './clock.ts';
export { ClockSteps } from './steps.ts';
export { stayFor, systemClock } from './system-clock.ts';
export { TestClock } from './test-clock.ts';
