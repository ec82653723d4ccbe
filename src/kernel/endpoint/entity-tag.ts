/**
 * Whether the header `If-Match` or `If-None-Match` names an entity tag, or `*` for any. Tags are compared weakly (RFC
 * 9110, section 8.8.3.2), because proxies that compress make strong ones weak. A tag must hold no comma.
 */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const named = header.split(',').map(opaque);
  return named.includes('*') || named.includes(opaque(tag));
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
