export { type Command, commandOf, SHORTCUTS } from './table.ts';
