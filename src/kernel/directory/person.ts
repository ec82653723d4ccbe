import type { Entry } from 'ldapts';
import type { LdapDirectory } from '#kernel/identity';

/** A person in a directory. */
export interface DirectoryPerson {
  /** The identifier of the person, which the directory never changes. */
  readonly subject: string;
  /** Distinguished name: where they are in the directory. */
  readonly dn: string;
  readonly name: string | undefined;
  readonly email: string | undefined;
  /** Names of their groups, as `comparable` makes them. */
  readonly groups: readonly string[];
  readonly picture: Buffer | undefined;
}

/** Most groups of a person that are looked at, and longest text of an attribute, in characters. */
const MAX_GROUPS = 5_000;
const MAX_TEXT = 1_000;

/** Names of the attributes that are read. */
export function attributesOf({ attributes = {} }: LdapDirectory) {
  const { id = 'entryUUID', name = 'cn', email = 'mail', picture = 'jpegPhoto', groups = 'memberOf' } = attributes;
  return { id, name, email, picture, groups };
}

/** The person of an entry; undefined for one without the attribute that identifies people. */
export function personOf(directory: LdapDirectory, entry: Entry): DirectoryPerson | undefined {
  const names = attributesOf(directory);
  const values = (name: string) => valuesOf(entry, name);
  const subject = identifierOf(values(names.id)[0]);
  if (subject === undefined) return undefined;
  const text = (name: string) =>
    values(name)
      .map(String)
      .find((value) => value.trim() !== '' && value.length <= MAX_TEXT);
  const picture = values(names.picture)[0];
  return {
    subject,
    dn: entry.dn,
    name: text(names.name),
    email: text(names.email),
    groups: values(names.groups)
      .slice(0, MAX_GROUPS)
      .map((group) => comparable(String(group))),
    picture: Buffer.isBuffer(picture) && picture.length > 0 ? picture : undefined,
  };
}

/** Names of attributes mean the same in any letter case (RFC 4512, section 2.5). */
function valuesOf(entry: Entry, name: string): readonly (string | Buffer)[] {
  const key = Object.keys(entry).find((one) => one.toLowerCase() === name.toLowerCase());
  const value = key === undefined ? undefined : entry[key];
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Active Directory's identifiers are bytes. */
function identifierOf(value: string | Buffer | undefined): string | undefined {
  if (value === undefined || value.length === 0 || value.length > 255) return undefined;
  const bytes = Buffer.from(value);
  const text = bytes.toString('latin1');
  return /^[\x21-\x7e]+$/.test(text) ? text : bytes.toString('hex').slice(0, 255);
}

/** A distinguished name in a form that can be compared: letter case and blanks around commas are ignored (RFC 4517, section 4.2.15). */
export function comparable(dn: string): string {
  return dn
    .toLowerCase()
    .replaceAll(/\s*([,=+])\s*/g, '$1')
    .trim();
}
