export { emojiCharacter } from './emoji.ts';
export { foreignNodes, renderedNodes, renderedText, STYLE } from './rendered.ts';
