// Filters of SCIM: parsed, and matched against resources.
export { matches } from './match.ts';
export { attributeName, type Filter, parseFilter, termsOf } from './parse.ts';
