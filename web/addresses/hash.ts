/** Encodes text for the part of an address behind `#`: percent encoding with `.` for `%`. protocol/markdown#channel-links. */
export function encodeHash(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'().]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
}

/** The text again; what was not encoded in this way stays as it is. */
export function decodeHash(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('.', '%'));
  } catch {
    return text;
  }
}
