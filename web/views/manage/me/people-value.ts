/** Returns the people in a profile field's value, a list in JSON; none for anything else. */
export function peopleIn(value: string): readonly number[] {
  if (!/^\[[\d,\s]*\]$/.test(value)) return [];
  const parsed: unknown = JSON.parse(value);
  return Array.isArray(parsed) ? parsed.map(Number) : [];
}
