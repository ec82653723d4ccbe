// SCIM filters: parsing, and matching against resources.
export { matches } from './match.ts';
export { attributeName, type Filter, parseFilter, termsOf } from './parse.ts';
