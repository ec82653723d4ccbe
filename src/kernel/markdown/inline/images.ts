import { cleanAddress, isHopeless, relativeToRealm } from '../addresses/clean.ts';
import { imageSource, inlineImage, player, soundSource } from '../elements/media.ts';
import type { Element } from '../tree.ts';
import { type BracketLink, Brackets } from './brackets.ts';
import { type InlineContext, syntax } from './context.ts';

/**
 * `![text](address)` as a picture or a sound; anything else stays text (protocol/markdown#written-images-and-audio).
 */
export const images = syntax('[', (source, context) => {
  if (!source.includes('![')) return source;
  const brackets = new Brackets(source);
  let result = '';
  let done = 0;
  for (let open = source.indexOf('!['); open !== -1; open = source.indexOf('![', Math.max(open + 1, done))) {
    const image = brackets.read(open + 1);
    const node = image && media(image, context);
    if (!image || !node) continue;
    const whole = source.slice(open, image.end);
    result += source.slice(done, open) + context.stash.put(node, whole);
    done = image.end;
  }
  return result + source.slice(done);
});

/** The text may be long, and many a text may hold the same: it is read only when there is something to show. */
function media(image: BracketLink, context: InlineContext): Element | undefined {
  const { stash, lookups } = context;
  const address = isHopeless(image.address) ? undefined : cleanAddress(stash.restore(image.address));
  if (address === undefined) return undefined;
  const href = relativeToRealm(address, lookups.realm?.url);
  const sound = image.title === undefined ? soundSource(href, context) : undefined;
  if (sound) return player(stash.restore(image.text), sound);
  const picture = imageSource(href, context);
  const title = image.title === undefined ? undefined : stash.restore(image.title).trim();
  return picture && inlineImage(stash.restore(image.text), title, picture);
}
