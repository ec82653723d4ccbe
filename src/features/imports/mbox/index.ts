// Mailing lists in the mbox format, read as a community.
export { mboxSource } from './source.ts';
