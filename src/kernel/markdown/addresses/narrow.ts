const encoder = new TextEncoder();
const allPlain = /^[A-Za-z0-9_\-~*]*$/;
const encoded = /[^A-Za-z0-9_\-~*]/gu;

/**
 * Encodes text for the part of an address behind `#narrow`: percent encoding with `.` for `%`
 * (protocol/markdown#channel-links).
 */
export function encodeNarrow(text: string): string {
  if (allPlain.test(text)) return text;
  return text.replace(encoded, (character) => {
    let bytes = '';
    for (const byte of encoder.encode(character)) bytes += `.${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    return bytes;
  });
}

/** Address of a channel's messages within the realm. */
export function channelAddress(channelId: number, name: string): string {
  return `/#narrow/channel/${channelId}-${encodeNarrow(name.replaceAll(' ', '-'))}`;
}
