/** Longest stored client name, in UTF-16 units. See protocol/wire#client-name. */
const MAX_LENGTH = 30;

/** Returns the name of the client: the `client` parameter, or the User-Agent up to the slash. */
export function clientName(userAgent: string | undefined, parameter: string | undefined): string {
  const name = parameter ?? userAgent?.split('/', 1)[0]?.trim() ?? '';
  return name === '' ? 'Unspecified' : name.slice(0, MAX_LENGTH);
}
