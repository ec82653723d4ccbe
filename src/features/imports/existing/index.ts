// What is added to an organization that there is already.
export { joinArchive } from './join.ts';
