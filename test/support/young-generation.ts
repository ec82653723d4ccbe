import { setFlagsFromString } from 'node:v8';

/**
 * The processes of tests start with a larger young generation (vitest.config.ts). Threads that they start later get the
 * usual one: the flag would count more than the limits of a thread's memory, and the thread would end the process.
 */
setFlagsFromString('--max-semi-space-size=0');
