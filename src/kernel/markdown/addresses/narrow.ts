const encoder = new TextEncoder();
const plain = /[^A-Za-z0-9_\-~*]/gu;

/** Encodes text for the part of an address behind `#narrow`: percent encoding with `.` for `%` (contract 2.3). */
export function encodeNarrow(text: string): string {
  return text.replace(plain, (character) => {
    let encoded = '';
    for (const byte of encoder.encode(character)) encoded += `.${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    return encoded;
  });
}

/** Address of a channel's messages within the realm. */
export function channelAddress(channelId: number, name: string): string {
  return `/#narrow/channel/${channelId}-${encodeNarrow(name.replaceAll(' ', '-'))}`;
}
