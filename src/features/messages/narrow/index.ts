// Narrows: resolves their terms for a reader and selects the matching messages.
export { type Narrow, resolveNarrow } from './narrow.ts';
export { askedWithin, notHidden, sentBy } from './queries.ts';
export { filterIds, firstSince, selectIds, type Selection } from './selecting/queries.ts';
export { parseNarrow, type Term } from './terms.ts';
export { walk } from './walk.ts';
