/** Longest stored client name. See protocol/wire#client-name. */
const MAX_LENGTH = 30;

/** Name of the program that sent a request: its `client` parameter, else the User-Agent up to the slash. */
export function clientName(userAgent: string | undefined, parameter: string | undefined): string {
  const name = parameter ?? userAgent?.split('/', 1)[0]?.trim() ?? '';
  return name === '' ? 'Unspecified' : name.slice(0, MAX_LENGTH);
}
