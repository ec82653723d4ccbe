export { Directory } from './directory.ts';
export { DirectoryFault } from './fault.ts';
export type { DirectoryPerson } from './person.ts';
