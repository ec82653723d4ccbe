// Words of a text, the index of words, and their marking in what was found.
export { escapeHtml, highlight } from './highlight.ts';
export { indexMessages, insertIntoIndex, unindexMessages } from './queries.ts';
export { indexWords, parseSearch, type Search } from './words.ts';
