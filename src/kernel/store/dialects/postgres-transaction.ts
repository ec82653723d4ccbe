import type pg from 'pg';
import { DatabaseAway } from '../away.ts';
import { Undone } from './group-commit.ts';
import type { ClientAccess } from './postgres-connection.ts';
import { isConnectionError } from './postgres-errors.ts';

/** A connection of the pool while one piece of work uses it. */
export interface Session extends ClientAccess {
  readonly client: pg.PoolClient;
  /** Keeps the connection from others until the answer arrives, although its user does not wait for it. */
  readonly keepUntil: (answer: Promise<unknown>) => void;
}

/** Runs work in a transaction that may write. */
export async function inTransaction<T>(session: Session, work: () => Promise<T>): Promise<T> {
  const { run, failure, versions, later, unanswered } = session;
  failure.restart();
  // BEGIN is sent together with the first statement.
  const begun = unawaited(run('begin'));
  let isCommitting = false;
  try {
    const value = await work();
    await begun;
    isCommitting = true;
    const committing = unawaited(run('commit'));
    await unanswered.answered();
    const { command } = await committing;
    // If an earlier statement failed that was not awaited, the server answers the commit with ROLLBACK instead of an
    // error.
    if (command === 'ROLLBACK') throw new Undone('a transaction was undone at its commit');
    return value;
  } catch (reported) {
    const error = failure.behind(reported);
    await run('rollback').catch(() => undefined);
    throw isCommitting && isConnectionError(error) ? new DatabaseAway('in doubt', error) : error;
  } finally {
    versions.end();
    later.end();
    unanswered.end();
  }
}

/**
 * Reads from one snapshot. Its end is sent without waiting for the answer, because the result can not change any more.
 */
export async function inSnapshot<T>(session: Session, work: () => Promise<T>): Promise<T> {
  const { run, failure, versions, keepUntil } = session;
  failure.restart();
  const begun = unawaited(run('begin isolation level repeatable read read only'));
  try {
    const value = await work();
    await begun;
    keepUntil(unawaited(run('commit')));
    return value;
  } catch (reported) {
    const error = failure.behind(reported);
    await run('rollback').catch(() => undefined);
    throw error;
  } finally {
    versions.end();
  }
}

/** Marks a promise as handled that may reject before it is awaited. */
export function unawaited<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
