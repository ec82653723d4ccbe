import type { ReadTx } from './transactions.ts';

/**
 * Makes a cache that reads a value once per snapshot, however many parts of a reply need it; `name` identifies the
 * value. Outside of snapshots, it is read each time.
 */
export function oncePerSnapshot<T>(): (tx: ReadTx, name: string, read: () => Promise<T>) => Promise<T> {
  const known = new WeakMap<ReadTx, Map<string, Promise<T>>>();
  return (tx, name, read) => {
    if (!tx.isSnapshot) return read();
    const root = tx.root ?? tx;
    const readings = known.get(root) ?? new Map<string, Promise<T>>();
    known.set(root, readings);
    const reading = readings.get(name) ?? read();
    readings.set(name, reading);
    return reading;
  };
}
