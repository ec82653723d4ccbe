export { emojiCharacter } from './emoji.ts';
export { renderedNodes, renderedText } from './rendered.ts';
