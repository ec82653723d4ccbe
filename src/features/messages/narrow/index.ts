// Narrows: their terms, resolved for a reader, and the messages that they admit.
export { type Narrow, resolveNarrow } from './narrow.ts';
export { askedWithin, notHidden, sentBy } from './queries.ts';
export { filterIds, firstSince, selectIds, type Selection } from './selecting/queries.ts';
export { parseNarrow, type Term } from './terms.ts';
export { EVERYTHING, walk } from './walk.ts';
