export { emojiCharacter } from './emoji.ts';
export { foreignNodes, renderedNodes, renderedText, STYLE, timeIn } from './rendered.ts';
