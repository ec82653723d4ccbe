export { withoutFooter, withoutQuotes } from './cut.ts';
export { textOfHtml } from './from-html.ts';
