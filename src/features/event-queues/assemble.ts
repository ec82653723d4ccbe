import { type Piece, piece } from '#kernel/gzip';
import { Assembled } from '#kernel/state';

/** Fields as JSON members without the braces, in pieces: shared ones as they are, and what stands between them. */
export async function assemble(fields: Readonly<Record<string, unknown>>): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  let own = '';
  let separator = '';
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    own += `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    for (const part of value instanceof Assembled ? value.parts : [JSON.stringify(value)]) {
      if (typeof part === 'string') own += part;
      else {
        if (own !== '') pieces.push(await piece(own));
        pieces.push(part);
        own = '';
      }
    }
  }
  if (own !== '') pieces.push(await piece(own));
  return pieces;
}
