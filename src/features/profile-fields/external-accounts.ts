/**
 * Accounts elsewhere that the server knows how to link to; their fields are named by the server.
 * See protocol/organizations#server-facts.
 */
export const EXTERNAL_ACCOUNTS = {
  twitter: { text: 'Twitter', name: 'Twitter username', hint: '', url_pattern: 'https://twitter.com/%(username)s' },
  github: { text: 'GitHub', name: 'GitHub username', hint: '', url_pattern: 'https://github.com/%(username)s' },
} as const;

export type KnownAccount = (typeof EXTERNAL_ACCOUNTS)[keyof typeof EXTERNAL_ACCOUNTS];

/** What the server knows of a kind of account; undefined for `custom` and the unknown. */
export function knownAccount(subtype: unknown): KnownAccount | undefined {
  return new Map<unknown, KnownAccount>(Object.entries(EXTERNAL_ACCOUNTS)).get(subtype);
}
