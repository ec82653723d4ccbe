import { compilePattern } from '#kernel/markdown';
import { foldCase } from '#kernel/text';
import type { ChannelRuleRow } from './tables.ts';

type Waiting = Pick<ChannelRuleRow, 'words' | 'pattern'>;

const LETTER = /[\p{L}\p{N}_]/u;

/** The rules that wait for a text. Others get their turn after each: one may take what a request may, ten may not. */
export async function matchesAmong<T extends Waiting>(rules: readonly T[], content: string): Promise<readonly T[]> {
  const found: T[] = [];
  for (const rule of rules) {
    if (isMatch(rule, content)) found.push(rule);
    await new Promise(setImmediate);
  }
  return found;
}

/** Whether a message's text is one that a rule waits for. See protocol/bots#channel-rules. */
export function isMatch({ words, pattern }: Waiting, content: string): boolean {
  if (pattern === null) {
    const folded = foldCase(content);
    return words.some((word) => holdsWord(folded, foldCase(word)));
  }
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
