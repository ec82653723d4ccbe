// The text and files of a mail that came in.
export { withoutFooter, withoutQuotes } from './cut.ts';
export { textOfHtml } from './from-html.ts';
