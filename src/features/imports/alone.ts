import { type Store, WorkTaken } from '#kernel/store';
import { ImportRefused } from './entry.ts';

/**
 * Runs an import unless another one is running on the same database. Two at once would remove each other: each would take
 * the other for one that was killed.
 */
export async function importAlone<T>(store: Pick<Store, 'alone'>, work: () => Promise<T>): Promise<T> {
  try {
    return await store.alone('importing', work);
  } catch (error) {
    if (error instanceof WorkTaken) throw new ImportRefused('another import is running: wait until it has ended');
    throw error;
  }
}
