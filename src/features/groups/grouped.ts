/** Pairs by their first, in the order given. */
export function grouped<K, V>(pairs: readonly (readonly [K, V])[]): ReadonlyMap<K, readonly V[]> {
  const groups = new Map<K, V[]>();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
