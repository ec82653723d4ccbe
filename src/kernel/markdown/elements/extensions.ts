/** Whether the path of an address ends in one of the extensions, whatever the letter case; a query may follow. */
export function hasExtension(address: string, extensions: readonly string[]): boolean {
  const [path = ''] = address.split(/[?#]/, 1);
  const dot = path.lastIndexOf('.');
  return dot !== -1 && extensions.includes(path.slice(dot + 1).toLowerCase());
}
