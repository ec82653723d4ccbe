import { ApiError } from '#kernel/errors';

/** An error answer of the tus protocol, in the form that the library expects. */
export class ProtocolFault extends Error {
  readonly status_code: number;
  readonly body: string;

  constructor(status: number, message: string) {
    super(message);
    this.status_code = status;
    this.body = JSON.stringify({ message });
  }
}

/** Whether an error refuses a file for good, for example because it is too large or exceeds the quota. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.row.status < 500;
}

/** Converts such a refusal to status 413 with the message of a plain upload. */
export function tooMuch(error: unknown): unknown {
  return isRefusal(error) ? new ProtocolFault(413, error.message) : error;
}
