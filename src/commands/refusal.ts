import { resolve, sep } from 'node:path';
import { oneLine } from '#kernel/text';
import { DatabaseAway, DatabaseTaken, DatabaseUnusable, NewerSchema, NotCopied } from '#kernel/store';

/** Thrown when a command refuses to run; the message is for the operator. */
export class Refusal extends Error {}

/** Errors whose message is enough for the operator. */
const REASONS = [Refusal, NewerSchema, DatabaseAway, DatabaseTaken, DatabaseUnusable, NotCopied];

/**
 * Runs a command. If it is refused by us or by the system (no connection, no access, port in use), prints one line and
 * exits with code 1.
 */
export async function orRefuse(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(REASONS.some((reason) => error instanceof reason) || isOfTheSystem(error))) throw error;
    process.stderr.write(`${variableFault(error) ?? reasonOf(error)}\n`);
    process.exit(1);
  }
}

/** Returns which variable is wrong, if a system error shows it. */
function variableFault(error: unknown, dataDir = process.env['ROOST_DATA_DIR'] ?? './data'): string | undefined {
  if (error instanceof DatabaseAway && /database or disk is full/.test(error.message))
    return `ROOST_DATA_DIR: ${resolve(dataDir)} cannot be used: ${FOLDER_FAULTS['ENOSPC']}`;
  if (!(error instanceof Error && 'code' in error)) return undefined;
  const { code, path } = { path: '', ...error };
  const refused = listenFault(error);
  if (refused !== undefined) return refused;
  const folder = resolve(dataDir);
  if (`${resolve(String(path))}${sep}`.startsWith(`${folder}${sep}`) && String(path) !== '')
    return `ROOST_DATA_DIR: ${folder} cannot be used: ${FOLDER_FAULTS[String(code)] ?? reasonOf(error)}`;
  return undefined;
}

/** Returns which variable is wrong, if the error is a failure to listen. */
export function listenFault(error: unknown): string | undefined {
  if (!(error instanceof Error && 'syscall' in error && error.syscall === 'listen')) return undefined;
  const { code, port, address } = { code: '', port: '', address: '', ...error };
  const isForMail = (process.env['ROOST_MAIL_IN_URL'] ?? '').endsWith(`:${port}`);
  const [portName, hostName] = isForMail ? ['ROOST_MAIL_IN_URL', 'ROOST_MAIL_IN_URL'] : ['ROOST_PORT', 'ROOST_HOST'];
  if (code === 'EADDRINUSE')
    return `${portName}: ${port} is in use on ${address}: another program listens there already`;
  if (code === 'EACCES') return `${portName}: this user may not listen on ${port}; take a port above 1023`;
  if (code === 'EADDRNOTAVAIL') return `${hostName}: this machine has no address ${address}; 0.0.0.0 means all it has`;
  return undefined;
}

const FOLDER_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EROFS: 'its disk takes no writes',
  ENOSPC: 'its disk is full',
  EEXIST: 'it is a file',
  ENOTDIR: 'a part of its path is a file',
};

/** Whether the operating system reported the error; an attempt at several addresses has an AggregateError. */
function isOfTheSystem(error: unknown): boolean {
  return error instanceof Error && ('syscall' in error || (error instanceof AggregateError && 'code' in error));
}

/**
 * Returns the reason of an error on one line, without characters that a terminal would interpret; errors of sockets have
 * it in their parts or their code.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  const own = error.message || ('code' in error ? String(error.code) : error.name);
  const reason = inner === undefined || error.message.includes(reasonOf(inner)) ? own : `${own} (${reasonOf(inner)})`;
  return oneLine(reason).replaceAll(/\s+/g, ' ');
}
