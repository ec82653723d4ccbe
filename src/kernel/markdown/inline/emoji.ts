import { namedEmoji } from '../elements/emoji.ts';
import type { Pass } from './context.ts';
import { replaceMatches } from './scan.ts';

const names = /:([\p{L}\p{N}_+-]+):/gu;

/** `:name:`; an unknown name stays text and uses its colons up (contract 2.4). */
export const emojiNames: Pass = (text, { stash, lookups }) => {
  if (!text.includes(':')) return text;
  return replaceMatches(text, names, ([source, name = '']) => {
    const node = namedEmoji(name, lookups.realm);
    return stash.put(node ? { kind: 'node', node } : { kind: 'literal', text: source }, source);
  });
};
