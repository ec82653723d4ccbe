export { HelperThread } from './helper-thread.ts';
