import { compilePattern } from '#kernel/markdown';
import { foldCase } from '#kernel/text';
import type { ChannelRuleRow } from './tables.ts';

const LETTER = /[\p{L}\p{N}_]/u;

/** Whether a message's text is one that a rule waits for. See protocol/bots#channel-rules. */
export function isMatch({ words, pattern }: Pick<ChannelRuleRow, 'words' | 'pattern'>, content: string): boolean {
  if (pattern === null) return words.some((word) => holdsWord(foldCase(content), foldCase(word)));
  const compiled = compilePattern(pattern);
  // The bounds of patterns may have become narrower since this one was stored.
  return !('fault' in compiled) && compiled.search(content) !== undefined;
}

/** Whether words stand in a text with no letter, digit or underscore on either side. */
function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.slice(0, at).at(-1) ?? '';
    const after = text.charAt(at + word.length);
    if (!LETTER.test(before) && !LETTER.test(after)) return true;
  }
  return false;
}
