/** Numbers of the types of custom profile fields. See protocol/profile-fields#field-object. */
export const FieldType = {
  shortText: 1,
  longText: 2,
  choice: 3,
  date: 4,
  link: 5,
  users: 6,
  externalAccount: 7,
  pronouns: 8,
} as const;
export type FieldType = (typeof FieldType)[keyof typeof FieldType];

/** Types whose values are Markdown. */
export const MARKDOWN_TYPES: ReadonlySet<number> = new Set([FieldType.shortText, FieldType.longText]);

/** The types as clients list them. See protocol/profile-fields#field-object. */
export const WIRE_TYPES = {
  SHORT_TEXT: { id: FieldType.shortText, name: 'Text (short)' },
  PARAGRAPH: { id: FieldType.longText, name: 'Paragraph' },
  DROPDOWN: { id: FieldType.choice, name: 'Dropdown' },
  DATE: { id: FieldType.date, name: 'Date' },
  URL: { id: FieldType.link, name: 'Link' },
  USER: { id: FieldType.users, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: FieldType.externalAccount, name: 'External account' },
  PRONOUNS: { id: FieldType.pronouns, name: 'Pronouns' },
} as const;

const TYPES: ReadonlySet<number> = new Set(Object.values(FieldType));

export function isFieldType(type: number): type is FieldType {
  return TYPES.has(type);
}

/**
 * External accounts that the server can link to; the server defines the labels of their fields. See
 * protocol/organizations#server-facts.
 */
export const EXTERNAL_ACCOUNTS = {
  twitter: { text: 'Twitter', name: 'Twitter username', hint: '', url_pattern: 'https://twitter.com/%(username)s' },
  github: { text: 'GitHub', name: 'GitHub username', hint: '', url_pattern: 'https://github.com/%(username)s' },
} as const;

export type KnownAccount = (typeof EXTERNAL_ACCOUNTS)[keyof typeof EXTERNAL_ACCOUNTS];

/** The server's definition of a kind of account; undefined for `custom` and unknown kinds. */
export function knownAccount(subtype: unknown): KnownAccount | undefined {
  return new Map<unknown, KnownAccount>(Object.entries(EXTERNAL_ACCOUNTS)).get(subtype);
}
