/** Encodes text for the fragment of an address: percent encoding with `.` for `%`. protocol/markdown#channel-links. */
export function encodeHash(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'().]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
}

/** Decodes what `encodeHash` encoded; other text is returned unchanged. */
export function decodeHash(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('.', '%'));
  } catch {
    return text;
  }
}
