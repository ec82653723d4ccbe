// Readers of GitLab's events.
export { deployment, job, pipeline } from './builds.ts';
export { push, tag } from './code.ts';
export { emoji, note } from './comments.ts';
export { did, project, type Reader, who } from './common.ts';
export { item, thing } from './things.ts';
