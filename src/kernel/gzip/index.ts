export { combined, join, pack, type Packed, type Piece, piece } from './piece.ts';
export { Place, type Strip, strip } from './strip.ts';
