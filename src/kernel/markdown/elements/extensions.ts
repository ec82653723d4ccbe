const behindPath = /[?#]/;
/** The scheme and host of an address, and whether a path follows. */
const withScheme = /^[a-z][a-z0-9+.-]*:(?:\/\/[^/?#]*(\/?))?/i;

/**
 * Whether the path of an address ends in one of the extensions, ignoring case; a query may follow. A host alone is not
 * a path.
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
