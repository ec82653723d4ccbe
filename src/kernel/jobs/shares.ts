import type { RealmId } from '#kernel/ids';
import type { JobRow } from './tables.ts';

/** Who holds a worker. */
export type Holder = Pick<JobRow, 'realm_id' | 'party'>;

/** Organizations and parties that may not take a further worker. */
export interface Full {
  readonly realms: readonly RealmId[];
  readonly parties: readonly string[];
}

/**
 * Shares the workers of a lane among organizations: one may take a further worker only while it holds fewer than are
 * free. Alone it gets half of them; however many organizations have jobs that hang, some workers stay free for others.
 * In the same way the parties of an organization share what it may hold, so that one alone gets a quarter of all.
 */
export class Shares {
  readonly #workers: number;
  readonly #held = new Map<RealmId, number>();
  readonly #heldByParties = new Map<string, Holder & { readonly count: number }>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(workers: number) {
    this.#workers = workers;
  }

  /** Those that may not take a further worker. */
  full(): Full {
    const held = [...this.#held];
    const free = this.#workers - held.reduce((sum, [, count]) => sum + count, 0);
    const realms = held.filter(([, count]) => count >= free).map(([realmId]) => realmId);
    /** How many more workers an organization may take until it holds as many as are free. */
    const left = (realmId: RealmId) => Math.ceil((free - (this.#held.get(realmId) ?? 0)) / 2);
    const parties = [...this.#heldByParties].filter(([, { realm_id, count }]) => count >= left(realm_id));
    return { realms, parties: parties.map(([party]) => party) };
  }

  /** Runs claims of this process one after another, so that each knows what those before it took. */
  inTurn<T>(claim: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(claim);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Records that they hold a worker each; returns a function that ends this. */
  hold(holders: readonly Holder[]): () => void {
    for (const holder of holders) this.#add(holder, 1);
    return () => {
      for (const holder of holders) this.#add(holder, -1);
    };
  }

  #add({ realm_id, party }: Holder, count: number): void {
    const held = (this.#held.get(realm_id) ?? 0) + count;
    if (held === 0) this.#held.delete(realm_id);
    else this.#held.set(realm_id, held);
    if (party === null) return;
    const heldByParty = (this.#heldByParties.get(party)?.count ?? 0) + count;
    if (heldByParty === 0) this.#heldByParties.delete(party);
    else this.#heldByParties.set(party, { realm_id, party, count: heldByParty });
  }
}
