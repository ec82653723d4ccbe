/** The address of a mail that comes in: the pattern of the operator (`*@in.example.org`) with what tells mails apart. */
export function mailAddressFor(pattern: string, local: string): string {
  return pattern.replace('*', () => local);
}

/** What stands for the asterisk of the pattern, in lower case as mail servers may make it; undefined of other addresses. */
export function localPartIn(pattern: string, address: string): string | undefined {
  const [before = '', after = ''] = pattern.toLowerCase().split('*');
  const lower = address.toLowerCase();
  const isOurs = lower.length > before.length + after.length && lower.startsWith(before) && lower.endsWith(after);
  return isOurs ? lower.slice(before.length, lower.length - after.length) : undefined;
}
