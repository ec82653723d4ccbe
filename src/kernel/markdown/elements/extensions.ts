const behindPath = /[?#]/;
/** An address with a scheme: what is behind a host, which begins with a slash. */
const withScheme = /^[a-z][a-z0-9+.-]*:(?:\/\/[^/?#]*(\/?))?/i;

/**
 * Whether the path of an address ends in one of the extensions, whatever the letter case; a query may follow. An address
 * that is only a host has no path.
 */
export function hasExtension(address: string, extensions: readonly string[]): boolean {
  if (!address.includes('.')) return false;
  const scheme = address.startsWith('/') ? null : withScheme.exec(address);
  if (scheme && scheme[1] !== '/') return false;
  const end = address.search(behindPath);
  const path = end === -1 ? address : address.slice(0, end);
  const dot = path.lastIndexOf('.');
  return dot !== -1 && extensions.includes(path.slice(dot + 1).toLowerCase());
}
