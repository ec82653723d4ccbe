import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/**
 * Rows by ID. A view of one row is redrawn only if that row changes, a view of all rows at any change. Rows without
 * subscribers have no signal, so ten thousand people cost only plain objects.
 */
export class Table<T> {
  readonly #rows = new Map<number, T>();
  readonly #watched = new Map<number, Signal<T | undefined>>();
  readonly #version = signal(0);

  /** Returns the row and subscribes to it. */
  get(id: number): T | undefined {
    return this.watch(id).value;
  }

  /** The row as a signal. */
  watch(id: number): ReadonlySignal<T | undefined> {
    const known = this.#watched.get(id);
    if (known) return known;
    const made = signal(this.#rows.get(id), {
      // A row without subscribers needs no signal.
      unwatched: () => {
        if (this.#watched.get(id) === made) this.#watched.delete(id);
      },
    });
    this.#watched.set(id, made);
    return made;
  }

  /** Returns the row without subscribing to it. */
  peek(id: number): T | undefined {
    return this.#rows.get(id);
  }

  /** Returns all rows in the order of insertion and subscribes to all. */
  get all(): ReadonlyMap<number, T> {
    void this.#version.value;
    return this.#rows;
  }

  /** Returns all rows without subscribing. */
  peekAll(): ReadonlyMap<number, T> {
    return this.#rows;
  }

  /** A number that grows with every change; reading it subscribes to nothing. */
  get version(): number {
    return this.#version.peek();
  }

  set(id: number, row: T): void {
    if (this.#rows.get(id) === row) return;
    this.#rows.set(id, row);
    this.#tell(id, row);
  }

  delete(id: number): void {
    if (this.#rows.delete(id)) this.#tell(id, undefined);
  }

  /** Replaces all rows; subscribers of a single row are notified only if it changed. */
  load(rows: Iterable<readonly [number, T]>): void {
    batch(() => {
      this.#rows.clear();
      for (const [id, row] of rows) this.#rows.set(id, row);
      for (const [id, watched] of this.#watched) watched.value = this.#rows.get(id);
      this.#version.value += 1;
    });
  }

  #tell(id: number, row: T | undefined): void {
    batch(() => {
      const watched = this.#watched.get(id);
      if (watched) watched.value = row;
      this.#version.value += 1;
    });
  }
}
