export { combined, join, pack, type Packed, type Piece, piece } from './piece.ts';
