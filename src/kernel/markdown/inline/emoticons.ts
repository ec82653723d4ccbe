import { namedEmoji } from '../elements/emoji.ts';
import type { Pass } from './context.ts';
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
const emoticons = /(?<=^|[,.;?!()[\] "'\n\t])(?::[)(|/DoOpP]|\(:|<3|;\))(?=$|[,.;?!()[\] "'\n\t])/g;

/** Emoticons, for senders who want them translated (protocol/markdown#emoticons). */
export const emoticonPass: Pass = (text, { stash, lookups }) => {
  if (!lookups.realm || !lookups.world.translateEmoticons) return text;
  return replaceMatches(text, emoticons, ([source]) => {
    const node = namedEmoji(names[source] ?? '', null);
    return node && stash.put(node, source);
  });
};
