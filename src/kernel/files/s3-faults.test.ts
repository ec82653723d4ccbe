import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { FaultyStore } from '../../../test/support/faulty-store.ts';
import { pause } from '../../../test/support/pause.ts';
import { FilesAway } from './away.ts';
import type { Files } from './files.ts';
import { openFiles } from './open-files.ts';

const HUNDRED = Buffer.alloc(100_000, 'x');

describe('an object store at fault', () => {
  const store = new FaultyStore();
  const clock = new TestClock();
  let files: Files;
  beforeAll(async () => {
    files = await openFiles(await store.open(), { clock });
  });
  beforeEach(async () => {
    store.fault = 'none';
    await files.put('there', HUNDRED);
    store.asked.splice(0);
  });
  afterAll(() => store.close());

  /** Lets the time pass that is waited for, until the work has ended. */
  const inTime = async <T>(work: Promise<T>, step = 1000): Promise<T | Error> => {
    let isOver = false;
    const ended = work.catch((error: Error) => error).finally(() => (isOver = true));
    while (!isOver) {
      await pause(2);
      clock.advance(step);
    }
    return ended;
  };
  const works: Readonly<Record<string, () => Promise<unknown>>> = {
    'stores a file': () => files.put('new', HUNDRED),
    'opens one': () => files.open('there'),
    'looks for one': () => files.size('there'),
    'removes one': () => files.remove('there'),
  };

  describe.each(Object.entries(works))('that %s', (_title, work) => {
    it.each(['fails', 'is busy'] as const)('and %s is asked four times, and is then away', async (fault) => {
      store.fault = fault;
      expect(await inTime(work())).toBeInstanceOf(FilesAway);
      expect(store.asked).toHaveLength(4);
    });

    it('and hangs is away after a bounded time, without being asked again', async () => {
      store.fault = 'hangs';
      const began = clock.nowMs();
      expect(await inTime(work())).toBeInstanceOf(FilesAway);
      expect(clock.nowMs() - began).toBeLessThan(120_000);
      expect(store.asked).toHaveLength(1);
    });
  });

  it('that cuts what it is sent has no file afterwards', async () => {
    store.fault = 'cuts';
    expect(await inTime(files.put('cut', HUNDRED))).toBeInstanceOf(FilesAway);
    store.fault = 'none';
    expect(await files.size('cut')).toBeUndefined();
  });

  it.each(['cuts', 'stalls'] as const)('that %s while a file is read never makes it look whole', async (fault) => {
    store.fault = fault;
    const opened = await files.open('there');
    expect(opened?.length).toBe(HUNDRED.length);
    if (!opened) throw new Error('there is none');
    expect(await inTime(buffer(opened.stream), 5000)).toBeInstanceOf(Error);
  });

  it('that is well again gives everything', async () => {
    store.fault = 'hangs';
    await inTime(files.size('there'));
    store.fault = 'none';
    const opened = await files.open('there');
    expect(opened && (await buffer(opened.stream))).toEqual(HUNDRED);
  });
});
