import type { Version, Versions } from '../transactions.ts';
import { unawaited } from './postgres-transaction.ts';

/** Change counts by table. */
export type Counts = ReadonlyMap<string, number>;

/** What a look within a snapshot finds. */
interface Seen {
  /** The sum of all change counts; undefined if they are not counted. */
  readonly total: number | undefined;
  /** The counts, if the snapshot sees the same as the last look. */
  readonly counts: Counts | undefined;
}

interface Options {
  /** The counts of the last look before the snapshot; undefined if they are not known. */
  readonly guess: Counts | undefined;
  readonly look: () => Promise<Seen>;
  /** The version of tables from their counts. */
  readonly at: (counts: Counts, tables: readonly string[]) => Version | undefined;
}

/** Versions of the tables as one snapshot sees them. */
export class SnapshotVersions {
  readonly #options: Options;
  #looking: Promise<void> | undefined;
  #seen: Seen | undefined;
  #isGuessed = false;
  /** These are known after a look. */
  readonly versions: Versions = { look: () => this.#look(), at: (tables) => this.#at(this.#seen?.counts, tables) };
  /** These do not wait for the look, and guess until then that nothing has changed since the one before. */
  readonly guessed: Versions = {
    look: () => {
      void unawaited(this.#look());
      return undefined;
    },
    at: (tables) => {
      if (this.#seen) return this.#at(this.#seen.counts, tables);
      const version = this.#at(this.#options.guess, tables);
      if (version) this.#isGuessed = true;
      return version;
    },
  };

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether what was guessed is right. */
  async isRight(): Promise<boolean> {
    const { guess } = this.#options;
    if (!this.#isGuessed || !guess) return true;
    await this.#look();
    return this.#seen?.total === sumOf(guess);
  }

  #look(): Promise<void> {
    this.#looking ??= this.#options.look().then((seen) => {
      this.#seen = seen;
    });
    return this.#looking;
  }

  #at(counts: Counts | undefined, tables: readonly string[]): Version | undefined {
    return counts && this.#options.at(counts, tables);
  }
}

/** The sum of all change counts. */
export function sumOf(counts: Counts): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}
