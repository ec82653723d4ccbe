import { cleanAddress, relativeToRealm } from '../addresses/clean.ts';
import type { Linkifier } from '../linkifiers/compile.ts';
import { type InlineContext, syntax } from './context.ts';
import { TOKEN_START } from './stash.ts';

/** The realm's linkifiers in their order (protocol/markdown#linkifiers). */
export const linkifiers = syntax('', (source, context) => {
  const { lookups } = context;
  let text = source;
  for (const linkifier of lookups.realm?.linkifiers.mayMatch(source) ?? []) text = apply(text, linkifier, context);
  return text;
});

function apply(text: string, linkifier: Linkifier, { stash, lookups, facts }: InlineContext): string {
  let result = '';
  let done = 0;
  for (const { start, end, url } of linkifier.matches(text)) {
    const typed = text.slice(start, end);
    // What an earlier pass has made is no text to be matched.
    const address = typed.includes(TOKEN_START) ? undefined : cleanAddress(url);
    if (address === undefined) continue;
    const href = relativeToRealm(address, lookups.realm?.url);
    result += text.slice(done, start) + stash.putLink({ href }, typed, typed);
    done = end;
    facts.hasLink = true;
  }
  return result + text.slice(done);
}
