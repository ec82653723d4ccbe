// SCIM filters: parsing, and matching against resources.
export { matches, matchesInTurns, membersAtOnce } from './match.ts';
export { attributeName, type Filter, parseFilter, termsOf } from './parse.ts';
