import { mayHold, unitAt } from '../characters.ts';
import { characterEmoji, emojiAt } from '../elements/emoji.ts';
import { type Html, LINE_BREAK, type Node, text } from '../tree.ts';

const mayHoldEmoji = /[\u00a9\u00ae\u203c-\uffff]/;
const mayHoldMore = mayHold(/[\n\u00a9\u00ae\u203c-\uffff]/);
const part =
  '(?:\\p{RI}\\p{RI}|[0-9#*]\\ufe0f?\\u20e3|\\p{Emoji}(?:\\p{EMod}|\\ufe0f\\u20e3?|[\\u{e0020}-\\u{e007e}]+\\u{e007f})?)';
const sequences = new RegExp(`${part}(?:\\u200d${part})*`, 'gu');

/** Whether a text is written as it is, without line breaks, emoji and tokens. */
export function isOneText(source: string): boolean {
  return !mayHoldMore(source);
}

/** The last two passes: line breaks and emoji characters (protocol/markdown#inline-passes). */
export function leafNodes(source: string): Node[] {
  if (source !== '' && isOneText(source)) return [text(source)];
  const nodes: Node[] = [];
  addLeafNodes(nodes, source);
  return nodes;
}

/** As `leafNodes`, but adds to an array. */
export function addLeafNodes(nodes: Node[], source: string): void {
  if (isOneText(source)) {
    addText(nodes, source);
    return;
  }
  const addLine = mayHoldEmoji.test(source) ? addWithEmoji : addText;
  let done = 0;
  for (let end = source.indexOf('\n'); end !== -1; end = source.indexOf('\n', done)) {
    addLine(nodes, source.slice(done, end));
    nodes.push(LINE_BREAK);
    done = end + 1;
  }
  addLine(nodes, source.slice(done));
}

function addText(nodes: Node[], line: string): void {
  if (line !== '') nodes.push(text(line));
}

function addWithEmoji(nodes: Node[], line: string): void {
  let done = 0;
  for (let index = 0; index < line.length; ) {
    const single = singleEmoji(line, index);
    if (single) {
      addText(nodes, line.slice(done, index));
      nodes.push(single);
      done = index += PAIR;
      continue;
    }
    sequences.lastIndex = index;
    const match = sequences.exec(line);
    if (!match) break;
    index = sequences.lastIndex;
    const node = characterEmoji(match[0]);
    if (!node) continue;
    addText(nodes, line.slice(done, match.index));
    nodes.push(node);
    done = index;
  }
  addText(nodes, line.slice(done));
}

/** Code units of a surrogate pair. */
const PAIR = 2;

/** Returns the emoji at an index if it is a single character, not a flag, and nothing after it could belong to it. */
function singleEmoji(line: string, index: number): Html | undefined {
  const first = line.charCodeAt(index);
  if (first < 0xd83c || first > 0xd83e) return undefined;
  const behind = unitAt(line, index + PAIR);
  if (behind === 0x200d || behind === 0xfe0f || behind === 0xd83c || behind === 0xdb40) return undefined;
  return emojiAt(line, index);
}
