// Unfinished uploads: their pieces, stored where every process finds them.
export { isRefusal, ProtocolFault, tooMuch } from './faults.ts';
export { bytesOfPieces, giveUp, removePieces, storePieces } from './pieces.ts';
export {
  deleteUnfinished,
  findUnfinished,
  insertPiece,
  insertUnfinished,
  listPieces,
  listUnfinishedBefore,
  readUnfinished,
  withoutPiece,
} from './queries.ts';
