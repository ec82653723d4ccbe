// The full-text index: words of a text, updates of the index, and highlighting of matches.
export { escapeHtml, highlight } from './highlight.ts';
export { indexMessages, insertIntoIndex, reindexMessages, unindexMessages } from './queries.ts';
export { indexWords, parseSearch, type Search } from './words.ts';
