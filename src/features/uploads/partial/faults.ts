import { ApiError } from '#kernel/errors';

/** An answer outside the protocol's good ways, as the library takes it. */
export class ProtocolFault extends Error {
  readonly status_code: number;
  readonly body: string;

  constructor(status: number, message: string) {
    super(message);
    this.status_code = status;
    this.body = JSON.stringify({ message });
  }
}

/** Whether a file was refused for good: it is too large, or too much. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.row.status < 500;
}

/** The same, of a file that is too large or too much: 413 with the words of the plain upload. */
export function tooMuch(error: unknown): unknown {
  return isRefusal(error) ? new ProtocolFault(413, error.message) : error;
}
