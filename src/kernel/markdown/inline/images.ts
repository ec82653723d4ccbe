import { cleanAddress, isHopeless, relativeToRealm } from '../addresses/clean.ts';
import { audioElement, inlineImage } from '../elements/media.ts';
import type { Element } from '../tree.ts';
import { type BracketLink, Brackets } from './brackets.ts';
import type { InlineContext, Pass } from './context.ts';

/** `![text](address)` as a picture or a sound; anything else stays text (contract 2.14). */
export const images: Pass = (source, context) => {
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
};

function media(image: BracketLink, context: InlineContext): Element | undefined {
  const address = isHopeless(image.address) ? undefined : cleanAddress(context.stash.restore(image.address));
  if (address === undefined) return undefined;
  const href = relativeToRealm(address, context.lookups.realm?.url);
  const text = () => context.stash.restore(image.text);
  const title = image.title === undefined ? undefined : context.stash.restore(image.title).trim();
  const sound = title === undefined ? audioElement(href, text, context) : undefined;
  return sound ?? inlineImage(href, text, title, context);
}
