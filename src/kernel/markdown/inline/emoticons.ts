import { namedEmoji } from '../elements/emoji.ts';
import { syntax } from './context.ts';
import { replaceMatches } from './scan.ts';

/** Names of the emoji that emoticons become (protocol/markdown#emoticons). */
const names: Readonly<Record<string, string>> = {
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
const typed = Object.keys(names).map((name) => name.replace(/[()|]/g, '\\$&'));
const emoticons = new RegExp(`(?<=^|[,.;?!()[\\] "'\\n\\t])(?:${typed.join('|')})(?=$|[,.;?!()[\\] "'\\n\\t])`, 'g');
/** What emoticons begin with. */
const BEGINNINGS = [...new Set(Object.keys(names).map((name) => name.charAt(0)))].join('');

/** Emoticons, for senders who want them translated (protocol/markdown#emoticons). */
export const emoticonPass = syntax(BEGINNINGS, (text, { stash, lookups }) => {
  if (!lookups.realm || !lookups.world.translateEmoticons) return text;
  return replaceMatches(text, emoticons, ([source]) => {
    const node = namedEmoji(names[source] ?? '', null);
    return node && stash.put(node, source);
  });
});
