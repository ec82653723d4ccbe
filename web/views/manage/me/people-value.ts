/** The people whom a profile field names, from the list in JSON that the API keeps; none where it is something else. */
export function peopleIn(value: string): readonly number[] {
  if (!/^\[[\d,\s]*\]$/.test(value)) return [];
  const parsed: unknown = JSON.parse(value);
  return Array.isArray(parsed) ? parsed.map(Number) : [];
}
