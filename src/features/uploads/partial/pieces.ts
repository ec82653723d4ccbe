import type { Context } from '#kernel/context';
import { invariant } from '#kernel/errors';
import { pieceKey } from '../names.ts';
import type { UnfinishedUpload, UploadPiece } from '../tables.ts';
import { cutting } from './cutting.ts';
import { ProtocolFault } from './faults.ts';
import { countPieces, deleteUnfinished, insertPiece, listPieces } from './queries.ts';

const MIB = 1024 * 1024;
/**
 * Most bytes of a piece, and so the most that an upload can lose when a process crashes. They fit into one request to
 * an object store.
 */
const PIECE_BYTES = 4 * MIB;
/** Most pieces of an upload, in addition to one for each MiB. See protocol/files#tus. */
const FREE_PIECES = 1000;
const TOKEN_LENGTH = 24;

type Upload = Pick<UnfinishedUpload, 'realm_id' | 'path_id' | 'size'>;

/**
 * Stores the arriving bytes of an upload from an offset on, piece by piece; returns the number of bytes that are then
 * stored.
 */
export async function storePieces(
  context: Context,
  upload: Upload,
  offset: number,
  arriving: AsyncIterable<Uint8Array>,
): Promise<number> {
  const { realm_id, path_id, size } = upload;
  const count = await context.store.of(realm_id).query((tx) => countPieces(tx, path_id));
  if (count >= FREE_PIECES + size / MIB)
    throw new ProtocolFault(400, 'The upload has too many pieces. Begin it again.');
  let received = offset;
  const cut = cutting(arriving, PIECE_BYTES);
  while (await cut.hasMore()) received += await storePiece(context, upload, received, cut.piece());
  // The pieces that arrived before the connection broke are kept.
  if (cut.failure) throw cut.failure;
  return received;
}

async function storePiece(
  context: Context,
  { realm_id, path_id }: Upload,
  first_byte: number,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number> {
  const token = context.clock.token(TOKEN_LENGTH);
  const size = await context.files.put(pieceKey(path_id, token), bytes);
  const isTaken = await context.store.write((tx) => insertPiece(tx, { path_id, realm_id, first_byte, size, token }));
  if (isTaken) return size;
  await context.files.remove(pieceKey(path_id, token));
  throw new ProtocolFault(409, 'Upload-Offset conflict');
}

/** Yields the bytes of a complete upload, one piece after the other. */
export async function* bytesOfPieces(
  context: Pick<Context, 'files'>,
  pieces: readonly UploadPiece[],
): AsyncGenerator<Uint8Array> {
  for (const { path_id, token } of pieces) {
    const piece = await context.files.open(pieceKey(path_id, token));
    invariant(piece, 'a piece of an upload lies in the files room');
    yield* piece.stream;
  }
}

/** Deletes an upload and its pieces, and so frees the room that it had reserved. */
export async function giveUp(context: Pick<Context, 'store' | 'files'>, upload: Omit<Upload, 'size'>): Promise<void> {
  const { path_id, realm_id } = upload;
  const pieces = await context.store.of(realm_id).write(async (tx) => {
    const listed = await listPieces(tx, path_id);
    await deleteUnfinished(tx, path_id);
    return listed;
  });
  await removePieces(context, pieces);
}

/** Deletes the bytes of pieces. The sweep deletes what cannot be deleted now. */
export async function removePieces(context: Pick<Context, 'files'>, pieces: readonly UploadPiece[]): Promise<void> {
  for (const { path_id, token } of pieces) await context.files.remove(pieceKey(path_id, token)).catch(() => undefined);
}
