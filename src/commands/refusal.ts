import { DatabaseAway, DatabaseTaken, NewerSchema, NotCopied } from '#kernel/store';

/** Why a command does nothing, in words for whoever gave it. */
export class Refusal extends Error {}

/** Errors that say all there is to say. */
const REASONS = [Refusal, NewerSchema, DatabaseAway, DatabaseTaken, NotCopied];

/**
 * Runs a command; one that is refused, by us or by the system (no connection, no access, the port is taken), ends the
 * process with one line and exit code 1.
 */
export async function orRefuse(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(REASONS.some((reason) => error instanceof reason) || isOfTheSystem(error))) throw error;
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  }
}

/** Whether the operating system said no; an attempt at several addresses says so in its parts. */
function isOfTheSystem(error: unknown): boolean {
  return error instanceof Error && ('syscall' in error || (error instanceof AggregateError && 'code' in error));
}

/** Why something failed, on one line; the errors of sockets say it in their parts or their code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  const own = error.message || ('code' in error ? String(error.code) : error.name);
  const reason = inner === undefined || error.message.includes(reasonOf(inner)) ? own : `${own} (${reasonOf(inner)})`;
  return reason.replaceAll(/\s+/g, ' ');
}
