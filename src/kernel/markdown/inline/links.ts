import { cleanAddress, isHopeless, relativeToRealm } from '../addresses/clean.ts';
import { indexOfUnit, mayHold, unitAt } from '../characters.ts';
import { type BracketLink, Brackets } from './brackets.ts';
import { type InlineContext, syntax } from './context.ts';

const mayHoldSquare = mayHold(/[[\]]/);

/** A link may bring brackets of its own that change the partners of others; that often is looked again. */
const MAX_ROUNDS = 4;

/** `[text](address "title")`; the text is literal (protocol/markdown#links). */
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
  const { stash, lookups, facts } = context;
  const address = isHopeless(link.address) ? undefined : cleanAddress(stash.restore(link.address));
  if (address === undefined) return undefined;
  const href = relativeToRealm(address, lookups.realm?.url);
  const title = link.title === undefined ? undefined : stash.restore(link.title).trim();
  const attributes = title === undefined ? { href } : { href, title };
  // The typed address is shown when there is no text.
  const text = link.text.trim() === '' ? href : link.text;
  facts.hasLink = true;
  return stash.putLink(attributes, text, source);
}
