import { S3NetworkError, S3ServiceError } from 's3mini';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '#kernel/clock';
import { retryBy, statusOf } from './s3-retries.ts';

/** A clock whose timers fire at once and are noted. */
function hastyClock(pauses: number[]): Clock {
  const after: Clock['after'] = (ms, task) => {
    pauses.push(ms);
    task();
    return { cancel: () => undefined };
  };
  return { ...systemClock, after };
}

describe('a request to the object store', () => {
  it.each([
    new S3ServiceError('slow down', 503),
    new S3ServiceError('slow down', 429),
    new S3NetworkError('gone', 'ECONNREFUSED'),
    new TypeError('fetch failed'),
    new Error('wrapped', { cause: new S3ServiceError('slow down', 500) }),
  ])('is made again, with growing pauses, after %s', async (failure) => {
    const pauses: number[] = [];
    let left = 3;
    const request = async (): Promise<string> => {
      if (left-- > 0) throw failure;
      return 'done';
    };
    expect(await retryBy(hastyClock(pauses))(request)).toBe('done');
    expect(pauses).toEqual([200, 400, 800]);
  });

  it('fails for good after four attempts', async () => {
    let attempts = 0;
    const request = async (): Promise<never> => {
      attempts++;
      throw new S3ServiceError('slow down', 503);
    };
    await expect(retryBy(hastyClock([]))(request)).rejects.toThrow('slow down');
    expect(attempts).toBe(4);
  });

  it.each([new S3ServiceError('no such key', 404), new S3ServiceError('denied', 403), new Error('a bug')])(
    'fails at once with %s',
    async (failure) => {
      let attempts = 0;
      const request = async (): Promise<never> => {
        attempts++;
        throw failure;
      };
      await expect(retryBy(hastyClock([]))(request)).rejects.toBe(failure);
      expect(attempts).toBe(1);
    },
  );

  it('knows the status, also of a wrapped failure', () => {
    expect(statusOf(new Error('wrapped', { cause: new S3ServiceError('gone', 404) }))).toBe(404);
    expect(statusOf(new Error('other'))).toBeUndefined();
  });
});
