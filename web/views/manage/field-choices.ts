/** A choice of a profile field, as the API stores it under a key. */
interface Stored {
  readonly key: string;
  readonly text: string;
  readonly order: number;
}

/** Returns the labels of a field's choices in order. */
export function choicesIn(fieldData: string): readonly string[] {
  return storedIn(fieldData).map(({ text }) => text);
}

/**
 * Makes choices of the lines of a text; an existing label keeps its key, and so the profiles that use it stay valid.
 */
export function fieldDataOf(lines: string, before: string): Readonly<Record<string, { text: string; order: string }>> {
  const known = new Map(storedIn(before).map(({ key, text }) => [text, key]));
  const used = new Set(known.values());
  const texts = [...new Set(lines.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
  const entries = texts.map((text, index) => {
    const key = known.get(text) ?? freeKey(used);
    used.add(key);
    return [key, { text, order: String(index + 1) }] as const;
  });
  return Object.fromEntries(entries);
}

function freeKey(used: ReadonlySet<string>): string {
  for (let number = 0; ; number++) if (!used.has(String(number))) return String(number);
}

/** Returns a field's choices in order. */
export function storedIn(fieldData: string): readonly Stored[] {
  const data: unknown = fieldData === '' ? {} : JSON.parse(fieldData);
  return Object.entries(data ?? {})
    .flatMap(([key, choice]: [string, unknown]) => {
      const { text, order } = { text: undefined, order: undefined, ...(typeof choice === 'object' ? choice : {}) };
      return typeof text === 'string' ? [{ key, text, order: Number(order) }] : [];
    })
    .toSorted((a, b) => a.order - b.order);
}
