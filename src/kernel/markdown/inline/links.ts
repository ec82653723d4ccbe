import { cleanAddress, isHopeless, relativeToRealm } from '../addresses/clean.ts';
import { type FoundAddress, scanAddresses } from '../addresses/scan-addresses.ts';
import { indexOfUnit, mayHold, unitAt } from '../characters.ts';
import { imageSource, inlineImage, player, soundSource } from '../elements/media.ts';
import type { Element } from '../tree.ts';
import type { LinkifierMatch } from '../linkifiers/compile.ts';
import { type BracketLink, Brackets } from './brackets.ts';
import { type InlineContext, syntax } from './context.ts';
import { TOKEN_START } from './stash.ts';

const mayHoldSquare = mayHold(/[[\]]/);

/**
 * Most passes over a text: a link may contain brackets that change how others pair, so links are searched for again.
 */
const MAX_ROUNDS = 4;

/** Parses `[text](address "title")`; the text is literal (protocol/markdown#links). */
export const links = syntax('[', (source, context) => {
  let text = source;
  for (let round = 0; round < MAX_ROUNDS && text.includes(']('); round++) {
    const found = replaceLinks(text, context);
    text = found.text;
    if (!found.again) break;
  }
  return text;
});

function replaceLinks(source: string, context: InlineContext): { text: string; again: boolean } {
  const brackets = new Brackets(source);
  let result = '';
  let done = 0;
  let again = false;
  for (let open = indexOfUnit(source, 91, 0); open !== -1; open = indexOfUnit(source, 91, Math.max(open + 1, done))) {
    const link = unitAt(source, open - 1) === 33 ? undefined : brackets.read(open);
    const token = link && replaceLink(link, source.slice(open, link.end), context);
    if (!link || token === undefined) continue;
    result += source.slice(done, open) + token;
    done = link.end;
    again ||= mayHoldSquare(link.address);
  }
  return { text: result + source.slice(done), again };
}

function replaceLink(link: BracketLink, source: string, context: InlineContext): string | undefined {
  const { stash, lookups, findings } = context;
  const address = isHopeless(link.address) ? undefined : cleanAddress(stash.restore(link.address));
  if (address === undefined) return undefined;
  const href = relativeToRealm(address, lookups.realm?.url);
  const title = link.title === undefined ? undefined : stash.restore(link.title).trim();
  const attributes = title === undefined ? { href } : { href, title };
  // Without text, the address as typed is shown.
  const text = link.text.trim() === '' ? href : link.text;
  findings.hasLink = true;
  return stash.putLink(attributes, text, source);
}

const prefixes: Readonly<Record<FoundAddress['kind'], string>> = { full: '', bare: 'http://', mail: 'mailto:' };

/** Parses addresses in text (protocol/markdown#automatic-links). */
export const autolinks = syntax(':.@', (text, context) => {
  const url = ({ start, end, kind }: FoundAddress) => prefixes[kind] + context.stash.restore(text.slice(start, end));
  return linkAll(
    text,
    scanAddresses(text).map((found) => ({ ...found, url: url(found) })),
    context,
  );
});

/** Applies the realm's linkifiers in their order (protocol/markdown#linkifiers). */
export const linkifiers = syntax('', (source, context) => {
  let text = source;
  for (const linkifier of context.lookups.realm?.linkifiers.mayMatch(source) ?? []) {
    // Tokens of earlier passes must not be part of a match.
    const isText = ({ start, end }: LinkifierMatch) => !text.slice(start, end).includes(TOKEN_START);
    text = linkAll(text, linkifier.matches(text).filter(isText), context);
  }
  return text;
});

/** Makes links of ranges of a text, in order; a range whose address is refused stays text. */
function linkAll(text: string, parts: readonly LinkifierMatch[], { stash, lookups, findings }: InlineContext): string {
  let result = '';
  let done = 0;
  for (const { start, end, url } of parts) {
    const address = cleanAddress(url);
    if (address === undefined) continue;
    const typed = text.slice(start, end);
    const href = relativeToRealm(address, lookups.realm?.url);
    result += text.slice(done, start) + stash.putLink({ href }, typed, typed);
    done = end;
    findings.hasLink = true;
  }
  return result + text.slice(done);
}

/**
 * Parses `![text](address)` as an image or audio; anything else stays text
 * (protocol/markdown#written-images-and-audio).
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

/** The text is read only if there is something to show, because it may be long, and many images may contain it. */
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
