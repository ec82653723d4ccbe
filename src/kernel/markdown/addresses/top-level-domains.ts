import domains from '../data/top-level-domains.data.json' with { type: 'json' };

/**
 * Endings that names of files have more often than addresses; never taken for a domain
 * (protocol/markdown#automatic-links).
 */
const fileEndings = new Set(['java', 'md', 'mov', 'py', 'zip']);
const known: ReadonlySet<string> = new Set(domains.filter((domain) => !fileEndings.has(domain)));

const LONGEST = Math.max(...domains.map((domain) => domain.length));

/** Whether a text, in lower case, is a top-level domain that makes a bare name an address. */
export function isTopLevelDomain(text: string): boolean {
  return text.length <= LONGEST && known.has(text);
}
