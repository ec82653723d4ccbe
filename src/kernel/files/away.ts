/** Files cannot be stored or read now, and may be later: the object store is away or busy, or the disk is full. */
export class FilesAway extends Error {
  override readonly name = 'FilesAway';

  constructor(cause: unknown) {
    super(`files are away: ${cause instanceof Error ? cause.message : 'for an unknown reason'}`, { cause });
  }
}

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** Turns a full or read-only disk into `FilesAway`; other errors stay. */
export function diskFault(error: unknown): unknown {
  return error instanceof Error && 'code' in error && FULL.has(error.code) ? new FilesAway(error) : error;
}
