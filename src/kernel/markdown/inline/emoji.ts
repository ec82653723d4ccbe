import { namedEmoji } from '../elements/emoji.ts';
import { text } from '../tree.ts';
import { syntax } from './context.ts';
import { replaceMatches } from './scan.ts';

const names = /:([\p{L}\p{N}_+-]+):/gu;

/**
 * `:name:`; an unknown name stays text and uses its colons up (protocol/markdown#emoji), of which only emoticons need
 * be told.
 */
export const emojiNames = syntax(':', (source, { stash, lookups }) => {
  if (!source.includes(':')) return source;
  return replaceMatches(source, names, ([typed, name = '']) => {
    const made = namedEmoji(name, lookups.realm) ?? (lookups.world.translateEmoticons ? text(typed) : undefined);
    return made && stash.put(made, typed);
  });
});
