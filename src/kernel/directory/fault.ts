/** Why a directory gave no answer. */
export type DirectoryReason =
  /** It cannot be reached, or takes too long. */
  | 'away'
  /** Too many wait for it. */
  | 'busy'
  /** It does not let the server search, or answers with what was not asked for. */
  | 'invalid';

/** A failure of a directory. `code` is for the log and contains nothing that was asked or answered. */
export class DirectoryFault extends Error {
  override readonly name = 'DirectoryFault';
  readonly reason: DirectoryReason;
  readonly code: string;

  constructor(reason: DirectoryReason, code: string, cause?: unknown) {
    super(`the directory gave no answer: ${reason}, ${code}`, { cause });
    this.reason = reason;
    this.code = code;
  }
}
