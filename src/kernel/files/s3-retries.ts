import { S3NetworkError, S3ServiceError } from 's3mini';
import type { Clock } from '#kernel/clock';
import { FilesAway } from './away.ts';
import { isLate } from './s3-fetch.ts';

/** Most attempts at a request. */
const ATTEMPTS = 4;
/** Milliseconds before the second attempt; doubled before each further one. */
const FIRST_PAUSE_MS = 200;

/** Makes a request that may be repeated without harm, again after a pause while the store is busy or out of reach. */
export type Retry = <T>(request: () => Promise<T>) => Promise<T>;

/** Retries by a clock. */
export function retryBy(clock: Clock): Retry {
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      clock.after(ms, resolve);
    });
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await request();
      } catch (error) {
        if (!mayPass(error)) throw error;
        // A store that did not answer in time is not asked again: the caller has waited long enough.
        if (attempt === ATTEMPTS || isLate(error)) throw new FilesAway(error);
        await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
      }
    }
  };
}

/** Makes a request only once, because it must not be repeated. */
export async function once<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw mayPass(error) ? new FilesAway(error) : error;
  }
}

/** The HTTP status the store answered with, also where the client wrapped the failure; undefined when it did not answer. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof S3ServiceError) return error.status;
  return error instanceof Error && error.cause !== undefined ? statusOf(error.cause) : undefined;
}

function mayPass(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return status >= 500 || status === 429;
  // Node's fetch says TypeError for every broken connection.
  if (error instanceof S3NetworkError || error instanceof TypeError) return true;
  return error instanceof Error && error.cause !== undefined && mayPass(error.cause);
}
