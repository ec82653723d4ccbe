/** Errors of sockets and name resolution: the server cannot be reached, or no longer. */
const SOCKET = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Messages of driver errors without a code. */
const DRIVER = /^(Connection terminated|timeout expired|Query read timeout|Client (has encountered|was closed))/;
/**
 * Errors with which the server ends a connection: it stops or starts (57P), has too many connections (53300), or a
 * transaction took too long (25P03, 25P04). A server that is read-only (25006) has been replaced by another one, to
 * which a new connection may lead.
 */
const ENDED = /^(08...|57P..|25P0[34]|25006|53300)$/;
/**
 * Errors with which the server cancels a statement: lock time-out (55P03), time-out (57014), no space or memory (53),
 * disk failure (58030).
 */
const GIVEN_UP = /^(55P03|57014|53...|58030)$/;
/** The pool's timeout of waiting for a connection. */
const NO_CONNECTION = /^timeout exceeded when trying to connect/;

/** Whether the connection is unusable, whatever the state of the server. */
export function isConnectionError(error: unknown): boolean {
  const code = codeOf(error);
  return SOCKET.has(code) || ENDED.test(code) || (error instanceof Error && code === '' && DRIVER.test(error.message));
}

/** Whether a reachable server has refused work temporarily. */
export function isRefusal(error: unknown): boolean {
  return GIVEN_UP.test(codeOf(error)) || (error instanceof Error && NO_CONNECTION.test(error.message));
}

/** Whether the server has refused a statement, and so rolled back the transaction. */
export function isStatementError(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(codeOf(error)) && !isConnectionError(error);
}

/** Whether a statement was refused only because an earlier one in the transaction had failed. */
export function isAftermath(error: unknown): boolean {
  return codeOf(error) === '25P02';
}

/** Whether a statement names a table that does not exist. */
export function isTableMissing(error: unknown): boolean {
  return codeOf(error) === '42P01';
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
