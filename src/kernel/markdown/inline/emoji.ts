import { namedEmoji } from '../elements/emoji.ts';
import { text } from '../tree.ts';
import { syntax } from './context.ts';
import { replaceMatches } from './scan.ts';

const names = /:([\p{L}\p{N}_+-]+):/gu;

/**
 * Parses `:name:` (protocol/markdown#emoji). An unknown name stays text, but its colons are consumed, so that the pass
 * for emoticons does not see them.
 */
export const emojiNames = syntax(':', (source, { stash, lookups }) => {
  if (!source.includes(':')) return source;
  return replaceMatches(source, names, ([typed, name = '']) => {
    const made = namedEmoji(name, lookups.realm) ?? (lookups.world.translateEmoticons ? text(typed) : undefined);
    return made && stash.put(made, typed);
  });
});

/** Names of the emoji for emoticons (protocol/markdown#emoticons). */
const emoticonNames: Readonly<Record<string, string>> = {
  ':)': 'smile',
  '(:': 'smile',
  ':(': 'frown',
  '<3': 'heart',
  ':|': 'neutral',
  ':/': 'confused',
  ';)': 'wink',
  ':D': 'grinning',
  ':o': 'open_mouth',
  ':O': 'open_mouth',
  ':p': 'stuck_out_tongue',
  ':P': 'stuck_out_tongue',
};
const escaped = Object.keys(emoticonNames).map((name) => name.replace(/[()|]/g, '\\$&'));
const emoticons = new RegExp(`(?<=^|[,.;?!()[\\] "'\\n\\t])(?:${escaped.join('|')})(?=$|[,.;?!()[\\] "'\\n\\t])`, 'g');
/** First characters of emoticons. */
const BEGINNINGS = [...new Set(Object.keys(emoticonNames).map((name) => name.charAt(0)))].join('');

/** Parses emoticons if the sender has chosen to convert them (protocol/markdown#emoticons). */
export const emoticonPass = syntax(BEGINNINGS, (source, { stash, lookups }) => {
  if (!lookups.realm || !lookups.world.translateEmoticons) return source;
  return replaceMatches(source, emoticons, ([typed]) => {
    const node = namedEmoji(emoticonNames[typed] ?? '', null);
    return node && stash.put(node, typed);
  });
});
