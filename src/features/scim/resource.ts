import { createHash } from 'node:crypto';
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

/** Adds a resource's address, and a version that is derived from all of its contents. */
export function withMeta(
  base: string,
  resourceType: 'User' | 'Group',
  id: number,
  attributes: Readonly<Record<string, unknown>>,
  created: number | null,
): Resource {
  const version = `W/"${createHash('sha256').update(JSON.stringify(attributes)).digest('hex').slice(0, 24)}"`;
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
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const wanted = ifMatch.split(',').map(opaque);
  if (!wanted.includes(opaque(meta.version))) throw new ScimFault(412, 'The resource has changed meanwhile.');
}

/** Whether the client has this version already. */
export function isKnown({ meta }: Resource, ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch !== undefined && ifNoneMatch.split(',').map(opaque).includes(opaque(meta.version));
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
