import domains from '../data/top-level-domains.data.json' with { type: 'json' };

/**
 * Top-level domains that are more often file extensions; these do not make an address
 * (protocol/markdown#automatic-links).
 */
const fileEndings = new Set(['java', 'md', 'mov', 'py', 'zip']);
const known: ReadonlySet<string> = new Set(domains.filter((domain) => !fileEndings.has(domain)));

const LONGEST = Math.max(...domains.map((domain) => domain.length));

/** Whether a text, in lower case, is a top-level domain that makes a name without scheme an address. */
export function isTopLevelDomain(text: string): boolean {
  return text.length <= LONGEST && known.has(text);
}
