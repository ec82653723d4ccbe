/** Returns the character of an emoji code such as `1f1e9-1f1ea`; undefined for anything else. */
export function emojiCharacter(code: string): string | undefined {
  if (!/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,12}$/.test(code)) return undefined;
  const points = code.split('-').map((one) => Number.parseInt(one, 16));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : undefined;
}
