/** Errors of sockets and of name look-ups: the server can not be reached on this way, or no longer. */
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
/** What the driver says without a code. */
const DRIVER = /^(Connection terminated|timeout expired|Query read timeout|Client (has encountered|was closed))/;
/**
 * Connections that the server ends: it stops or starts (57P), it has too many (53300), a transaction of this one took too
 * long (25P03, 25P04). It has become read-only (25006) where another one was promoted, and a new connection may lead there.
 */
const ENDED = /^(08...|57P..|25P0[34]|25006|53300)$/;
/** Statements that the server gave up: no lock (55P03), no time (57014), no space or memory (53), no disk (58030). */
const GIVEN_UP = /^(55P03|57014|53...|58030)$/;
/** The pool's bound on waiting for one of its connections. */
const NO_CONNECTION = /^timeout exceeded when trying to connect/;

/** Whether the connection can not be used any more, whatever the state of the server. */
export function isConnectionError(error: unknown): boolean {
  const code = codeOf(error);
  return SOCKET.has(code) || ENDED.test(code) || (error instanceof Error && code === '' && DRIVER.test(error.message));
}

/** Whether a server that can be reached refused for now. */
export function isRefusal(error: unknown): boolean {
  return GIVEN_UP.test(codeOf(error)) || (error instanceof Error && NO_CONNECTION.test(error.message));
}

/** Whether the server has refused a statement, and so undone the transaction. */
export function isStatementError(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(codeOf(error)) && !isConnectionError(error);
}

/** Whether a statement names a table that there is not. */
export function isTableMissing(error: unknown): boolean {
  return codeOf(error) === '42P01';
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
