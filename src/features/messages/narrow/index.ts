// Narrows: their terms, resolved for a reader, and the messages that they admit.
export { type Narrow, resolveNarrow } from './narrow.ts';
export { askedWithin, filterIds, firstSince, notHidden, selectIds, type Selection, sentBy } from './queries.ts';
export { parseNarrow, type Term } from './terms.ts';
export { EVERYTHING, walk } from './walk.ts';
