const behindPath = /[?#]/;

/** Whether the path of an address ends in one of the extensions, whatever the letter case; a query may follow. */
export function hasExtension(address: string, extensions: readonly string[]): boolean {
  if (!address.includes('.')) return false;
  const end = address.search(behindPath);
  const path = end === -1 ? address : address.slice(0, end);
  const dot = path.lastIndexOf('.');
  return dot !== -1 && extensions.includes(path.slice(dot + 1).toLowerCase());
}
