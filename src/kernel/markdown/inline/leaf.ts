import { characterEmoji } from '../elements/emoji.ts';
import { element, type Node, text } from '../tree.ts';

const mayHoldEmoji = /[\u00a9\u00ae\u203c-\uffff]/;
const part =
  '(?:\\p{RI}\\p{RI}|[0-9#*]\\ufe0f?\\u20e3|\\p{Emoji}(?:\\p{EMod}|\\ufe0f\\u20e3?|[\\u{e0020}-\\u{e007e}]+\\u{e007f})?)';
const sequences = new RegExp(`${part}(?:\\u200d${part})*`, 'gu');
const oneOfText = /^(?!\p{Emoji_Presentation}).$/u;

/** The last two passes, over text in which nothing else is left: line breaks and emoji characters (contract 1.10). */
export function leafNodes(source: string): Node[] {
  if (!source.includes('\n')) return withEmoji(source);
  return source
    .split('\n')
    .flatMap((line, index) => (index === 0 ? withEmoji(line) : [element('br'), ...withEmoji(line)]));
}

function withEmoji(line: string): Node[] {
  if (line === '') return [];
  if (!mayHoldEmoji.test(line)) return [text(line)];
  const nodes: Node[] = [];
  let done = 0;
  for (const { 0: sequence, index } of line.matchAll(sequences)) {
    const node = oneOfText.test(sequence) ? undefined : characterEmoji(sequence);
    if (!node) continue;
    if (index > done) nodes.push(text(line.slice(done, index)));
    nodes.push(node);
    done = index + sequence.length;
  }
  if (done < line.length) nodes.push(text(line.slice(done)));
  return nodes;
}
