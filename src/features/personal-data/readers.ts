import { ServerBusy } from '#kernel/errors';
import { onceFor } from '#kernel/lists';

/** Downloads that go on at a time, each of which holds up to three megabytes while its reader is slow. */
const MAX_AT_ONCE = 12;

const readersOf = onceFor((_server: object) => new Set<number>());

/**
 * Begins a download of a person, of which each has one at a time; returns how it ends. @throws ServerBusy
 * Thirty at once of messages with long histories took 1.2 GiB, and kept others waiting for two seconds.
 */
export function beginReading(server: object, userId: number): () => void {
  const readers = readersOf(server);
  if (readers.has(userId) || readers.size >= MAX_AT_ONCE) throw ServerBusy({ 'retry-after': 5 });
  readers.add(userId);
  return () => void readers.delete(userId);
}
