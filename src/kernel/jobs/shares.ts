import type { RealmId } from '#kernel/ids';

/**
 * Shares the workers of a lane among organizations: one may take a further worker only while it holds fewer than are
 * free. Alone it gets half of them; however many organizations have jobs that hang, some workers stay free for others.
 */
export class Shares {
  readonly #workers: number;
  readonly #held = new Map<RealmId, number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(workers: number) {
    this.#workers = workers;
  }

  /** Organizations that may not take a further worker. */
  full(): readonly RealmId[] {
    const held = [...this.#held];
    const free = this.#workers - held.reduce((sum, [, count]) => sum + count, 0);
    return held.filter(([, count]) => count >= free).map(([realmId]) => realmId);
  }

  /** Runs claims of this process one after another, so that each knows what those before it took. */
  inTurn<T>(claim: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(claim);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Records that organizations hold a worker; returns a function that ends this. */
  hold(realmIds: readonly RealmId[]): () => void {
    for (const realmId of realmIds) this.#add(realmId, 1);
    return () => {
      for (const realmId of realmIds) this.#add(realmId, -1);
    };
  }

  #add(realmId: RealmId, count: number): void {
    const held = (this.#held.get(realmId) ?? 0) + count;
    if (held === 0) this.#held.delete(realmId);
    else this.#held.set(realmId, held);
  }
}
