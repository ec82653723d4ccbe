export { contentInWords } from './in-words.ts';
export { widgetTitle, widgetWords } from './rules.ts';
