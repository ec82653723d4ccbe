const encoder = new TextEncoder();
const allPlain = /^[A-Za-z0-9_\-~*]*$/;
const encoded = /[^A-Za-z0-9_\-~*]/gu;

/**
 * Encodes text for an address after `#narrow`: percent-encoding with `.` instead of `%`
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

/** Relative address of a channel's messages. */
export function channelAddress(channelId: number, name: string): string {
  return `/#narrow/channel/${channelId}-${encodeNarrow(name.replaceAll(' ', '-'))}`;
}
