export { backOff } from './back-off.ts';
export { type Clock, SECONDS_PER_DAY, type Timer } from './clock.ts';
export { commonClock } from './common-clock.ts';
export { repeat } from './repeat.ts';
export { ClockSteps } from './steps.ts';
export { stayFor, systemClock } from './system-clock.ts';
export { TestClock } from './test-clock.ts';
