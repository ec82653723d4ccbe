// Import into an organization that exists already.
export { joinArchive } from './join.ts';
