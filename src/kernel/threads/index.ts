export { HelperThread } from './helper-thread.ts';
export { Turns } from './turns.ts';
