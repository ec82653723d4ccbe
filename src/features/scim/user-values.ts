import { lookUp } from '#kernel/lists';
import { Role } from '#kernel/permissions';
import { isObject } from '#kernel/text';
import { badPath, badValue, textOf } from './fault.ts';
import { attributeName } from './filter/index.ts';

/** A directory's new values of an account; undefined members stay. */
export interface Wanted {
  address?: string;
  name?: string;
  givenName?: string;
  familyName?: string;
  role?: number;
  active?: boolean;
  externalId?: string | null;
}

type Setter = (wanted: Wanted, value: unknown) => void;

/** Writable attributes, by their path in lower case. */
const SETTERS: Readonly<Record<string, Setter>> = {
  username: (wanted, value) => (wanted.address ??= textOf('userName', value)),
  emails: (wanted, value) => {
    const [first] = [...listOf(value)].toSorted((a, b) => Number(isPrimary(b)) - Number(isPrimary(a)));
    if (first !== undefined) wanted.address = textOf('emails', isObject(first) ? first['value'] : first);
  },
  'emails.value': (wanted, value) => (wanted.address = textOf('emails', value)),
  displayname: (wanted, value) => (wanted.name = textOf('displayName', value)),
  'name.formatted': (wanted, value) => (wanted.name ??= textOf('name.formatted', value)),
  'name.givenname': (wanted, value) => (wanted.givenName = textOf('name.givenName', value)),
  'name.familyname': (wanted, value) => (wanted.familyName = textOf('name.familyName', value)),
  name: (wanted, value) => {
    if (!isObject(value)) throw badValue('name must be an object.');
    for (const [key, one] of Object.entries(value)) lookUp(SETTERS, `name.${key.toLowerCase()}`)?.(wanted, one);
  },
  active: (wanted, value) => (wanted.active = booleanOf(value)),
  externalid: (wanted, value) => (wanted.externalId = value === null ? null : textOf('externalId', value)),
  roles: (wanted, value) => {
    const [first] = [...listOf(value)].toSorted((a, b) => Number(isPrimary(b)) - Number(isPrimary(a)));
    if (first !== undefined) wanted.role = roleOf(isObject(first) ? first['value'] : first);
  },
  'roles.value': (wanted, value) => (wanted.role = roleOf(value)),
};

/** Attributes that are read-only or have no place in Roost: accepted and ignored (RFC 7644, section 3.5.1). */
const UNSTORED =
  /^(?:(?:schemas|id|meta|groups|password|title|nickname|profileurl|locale|timezone|preferredlanguage|usertype|phonenumbers|addresses|photos|ims|entitlements|x509certificates)(?:\.[a-z\d$-]+)?|(?:name|emails|roles)\.[a-z\d$-]+|urn:.*)$/;

/** Sets the value of an attribute. Throws `invalidPath` for an attribute that SCIM does not have. */
export function setAttribute(wanted: Wanted, path: string, value: unknown): void {
  const name = attributeName(path);
  const set = lookUp(SETTERS, name);
  if (set) set(wanted, value);
  else if (!UNSTORED.test(name)) throw badPath(`There is no attribute ${path.slice(0, 100)}.`);
}

/** Reads the values of a whole resource, for creating or replacing one. */
export function wantedOf(resource: Readonly<Record<string, unknown>>): Wanted {
  const wanted: Wanted = {};
  for (const [name, value] of Object.entries(resource)) setAttribute(wanted, name, value);
  return wanted;
}

/** Removes an attribute; throws for attributes that every account must have. */
export function removeAttribute(wanted: Wanted, path: string): void {
  const name = attributeName(path);
  if (name === 'externalid') wanted.externalId = null;
  else if (name === 'active') throw badValue('active cannot be removed.');
  else if (lookUp(SETTERS, name)) throw badValue(`${path.slice(0, 100)} cannot be removed.`);
  else if (!UNSTORED.test(name)) throw badPath(`There is no attribute ${path.slice(0, 100)}.`);
}

/** The account's single name after a change of its parts. */
export function fullNameOf(wanted: Wanted, before: { givenName: string; familyName?: string }): string | undefined {
  if (wanted.name !== undefined) return wanted.name.trim();
  const { givenName, familyName } = wanted;
  if (givenName === undefined && familyName === undefined) return undefined;
  return `${givenName ?? before.givenName} ${familyName ?? before.familyName ?? ''}`.trim();
}

/** Some directories send booleans as text. */
function booleanOf(value: unknown): boolean {
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === true || word === 'true') return true;
  if (word === false || word === 'false') return false;
  throw badValue('active must be true or false.');
}

function roleOf(value: unknown): number {
  const role = Object.entries(Role).find(([name]) => name === value)?.[1];
  if (role === undefined) throw badValue(`A role is one of ${Object.keys(Role).join(', ')}.`);
  return role;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isPrimary(value: unknown): boolean {
  return isObject(value) && value['primary'] === true;
}
