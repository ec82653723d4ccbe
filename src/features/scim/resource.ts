import { createHash } from 'node:crypto';
import { namesTag, nextTurn } from '#kernel/endpoint';
import { ScimFault } from './fault.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** A resource on the wire. */
export interface Resource {
  readonly schemas: readonly string[];
  readonly id: string;
  readonly meta: { readonly resourceType: 'User' | 'Group'; readonly location: string; readonly version: string };
  readonly [attribute: string]: unknown;
}

/** Members that are written or read before other requests are served. */
const AT_ONCE = 1_000;

/** JSON of a resource, in parts. */
async function* partsOf(resource: object): AsyncGenerator<string, void> {
  const { members, ...rest }: Readonly<Record<string, unknown>> = { ...resource };
  if (!Array.isArray(members) || members.length <= AT_ONCE) {
    yield JSON.stringify(resource);
    return;
  }
  yield `${JSON.stringify(rest).slice(0, -1)},"members":[`;
  for (let at = 0; at < members.length; at += AT_ONCE) {
    if (at > 0) yield ',';
    yield JSON.stringify(members.slice(at, at + AT_ONCE)).slice(1, -1);
    await nextTurn();
  }
  yield ']}';
}

/** JSON of a resource, or of a list of some; other requests are served meanwhile. */
export async function writeInTurns(value: Readonly<Record<string, unknown>>): Promise<Buffer> {
  const { Resources, ...rest } = value;
  if (!Array.isArray(Resources)) return bytesOf(partsOf(value));
  const list: readonly object[] = Resources;
  const written: Buffer[] = [Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"Resources":[`)];
  for (const [index, one] of list.entries()) {
    if (index > 0) written.push(Buffer.from(','));
    written.push(await bytesOf(partsOf(one)));
  }
  return Buffer.concat([...written, Buffer.from(']}')]);
}

async function bytesOf(parts: AsyncIterable<string>): Promise<Buffer> {
  const written: Buffer[] = [];
  for await (const part of parts) written.push(Buffer.from(part));
  return Buffer.concat(written);
}

/** The version of a resource, which is derived from all of its contents. */
export async function versionOf(attributes: Readonly<Record<string, unknown>>): Promise<string> {
  const bytes = await bytesOf(partsOf(attributes));
  await nextTurn();
  return tagOf([bytes]);
}

/** The version of a resource with this JSON. */
export function tagOf(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return `W/"${hash.digest('hex').slice(0, 24)}"`;
}

/** Adds a resource's address, and its version. */
export function withMeta(
  {
    base,
    resourceType,
    id,
    created,
  }: {
    readonly base: string;
    readonly resourceType: 'User' | 'Group';
    readonly id: number;
    readonly created: number | null;
  },
  attributes: Readonly<Record<string, unknown>>,
  version: string,
): Resource {
  const location = `${base}/${resourceType}s/${id}`;
  const at = created === null ? {} : { created: new Date(created * 1000).toISOString() };
  return {
    schemas: [resourceType === 'User' ? USER_SCHEMA : GROUP_SCHEMA],
    id: String(id),
    ...attributes,
    meta: { resourceType, ...at, location, version },
  };
}

/** Throws 412 if a change was meant for another version (RFC 7644, section 3.14). */
export function assertVersion({ meta }: Resource, ifMatch: string | undefined): void {
  if (ifMatch !== undefined && !namesTag(ifMatch, meta.version))
    throw new ScimFault(412, 'The resource has changed meanwhile.');
}
