import { cleanAddress, relativeToRealm } from '../addresses/clean.ts';
import { type FoundAddress, scanAddresses } from '../addresses/scan-addresses.ts';
import { syntax } from './context.ts';

const prefixes: Readonly<Record<FoundAddress['kind'], string>> = { full: '', bare: 'http://', mail: 'mailto:' };

/** Addresses in running text (protocol/markdown#automatic-links). */
export const autolinks = syntax(':.@', (text, { stash, lookups, facts }) => {
  let result = '';
  let done = 0;
  for (const { start, end, kind } of scanAddresses(text)) {
    const typed = text.slice(start, end);
    const address = cleanAddress(prefixes[kind] + stash.restore(typed));
    if (address === undefined) continue;
    const href = relativeToRealm(address, lookups.realm?.url);
    result += text.slice(done, start) + stash.putLink({ href }, typed, typed);
    done = end;
    facts.hasLink = true;
  }
  return result + text.slice(done);
});
