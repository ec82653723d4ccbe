// Readers of events of GitHub and compatible services.
export { ALERTS } from './alerts.ts';
export { BUILDS } from './builds.ts';
export type { Reader } from './common.ts';
export { PEOPLE } from './people.ts';
export { push } from './push.ts';
export { REPOSITORIES } from './repositories.ts';
export { THREADS } from './threads.ts';
