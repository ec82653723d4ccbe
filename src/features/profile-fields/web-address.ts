const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:', 'ftps:']);
/** Longest address, in UTF-16 units; browsers take no longer ones. */
const MAX_LENGTH = 2048;

/** Whether a text is an absolute web address that a profile may link to. See protocol/profile-fields#values. */
export function isWebAddress(text: string): boolean {
  if (text.length > MAX_LENGTH || !/^[a-z]+:\/\/[^\s/\\"<>]/i.test(text) || /[\s"<>\\]/.test(text)) return false;
  return URL.canParse(text) && SCHEMES.has(new URL(text).protocol);
}
