import type { RealmId } from '#kernel/ids';
import type { Entry } from './entry.ts';

/** Most entries in a tail, and most characters of more than one; older ones are read from the database. */
const MAX_ENTRIES = 5000;
const MAX_CHARACTERS = 8_000_000;
/** Characters of the newest entries, whose JSON for each kind of client stays in memory, too; of others that for one. */
const NEW_CHARACTERS = 4_000_000;
/** Most characters in all tails of a process together, and how many are left when there were more. */
const MAX_IN_ALL = 24_000_000;
const LEFT_IN_ALL = 18_000_000;

/** The tails of a process, which share its memory: however many organizations there are, they stay small together. */
export class TailMemory {
  readonly #tails: Tail[] = [];
  #characters = 0;

  add(tail: Tail): void {
    this.#tails.push(tail);
  }

  /** Counts characters that tails have taken, or given back. */
  count(characters: number): void {
    this.#characters += characters;
  }

  /** Halves the largest tails, one after the other, if all together have too much. */
  makeRoom(): void {
    if (this.#characters <= MAX_IN_ALL) return;
    while (this.#characters > LEFT_IN_ALL) {
      const largestFirst = this.#tails.toSorted((a, b) => b.characters - a.characters);
      if (!largestFirst.some((tail) => tail.halve())) return;
    }
  }
}

/** The newest entries of one organization, contiguous and in order. */
export class Tail {
  readonly realmId: RealmId;
  /** Every entry whose ID is above this one is in the tail. */
  #start: number;
  #head: number;
  #entries: Entry[] = [];
  #characters = 0;
  /** How many of the entries have aged, and the characters of those that have not. */
  #aged = 0;
  #newCharacters = 0;
  #busy: Promise<void> = Promise.resolve();
  readonly #memory: TailMemory;

  constructor(realmId: RealmId, head: number, memory = new TailMemory()) {
    this.realmId = realmId;
    this.#start = head;
    this.#head = head;
    this.#memory = memory;
    memory.add(this);
  }

  get characters(): number {
    return this.#characters;
  }

  /** Every entry above this ID is held. */
  get start(): number {
    return this.#start;
  }

  /** The newest ID held, or the head of the log when the tail began. */
  get head(): number {
    return this.#head;
  }

  /** Appends entries that follow the head directly; returns false if there is a gap, or some are known already. */
  append(entries: readonly Entry[]): boolean {
    const first = entries[0];
    if (!first || first.id !== this.#head + 1) return false;
    this.extend(entries);
    return true;
  }

  /** Appends all entries that exist after the head; between them, IDs may be missing. */
  extend(entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.#entries.push(entry);
      this.#newCharacters += entry.size;
      this.#take(entry.size);
    }
    this.#age();
    this.#head = entries.at(-1)?.last_id ?? this.#head;
    if (this.#entries.length > MAX_ENTRIES * 1.5 || this.#characters > MAX_CHARACTERS * 1.5)
      this.#shorten(MAX_CHARACTERS);
    this.#memory.makeRoom();
  }

  /** Drops entries until half of the characters are left; returns false if only one entry is left. */
  halve(): boolean {
    return this.#shorten(this.#characters / 2) > 0;
  }

  /** Entries that end above `after`, or undefined when the tail does not go back that far. */
  since(after: number): readonly Entry[] | undefined {
    if (after < this.#start) return undefined;
    if (after >= this.#head) return [];
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.last_id ?? 0) > after) high = middle;
      else low = middle + 1;
    }
    return this.#entries.slice(low);
  }

  /** Runs `work` after everything that was given here before. */
  exclusively(work: () => Promise<void>): Promise<void> {
    const turn = this.#busy.then(work);
    this.#busy = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves when everything that was given to `exclusively` is done. */
  settled(): Promise<void> {
    return this.#busy;
  }

  #age(): void {
    for (; this.#newCharacters > NEW_CHARACTERS && this.#aged < this.#entries.length - 1; this.#aged++) {
      const entry = this.#entries[this.#aged];
      entry?.age();
      this.#newCharacters -= entry?.size ?? 0;
    }
  }

  #take(characters: number): void {
    this.#characters += characters;
    this.#memory.count(characters);
  }

  /** Drops the oldest entries but the last one until the others have at most so many characters; returns how many. */
  #shorten(characters: number): number {
    let dropped = 0;
    for (const { size } of this.#entries.slice(0, -1)) {
      if (this.#entries.length - dropped <= MAX_ENTRIES && this.#characters <= characters) break;
      this.#take(-size);
      if (dropped >= this.#aged) this.#newCharacters -= size;
      dropped++;
    }
    this.#aged = Math.max(0, this.#aged - dropped);
    this.#start = this.#entries[dropped - 1]?.last_id ?? this.#start;
    this.#entries = this.#entries.slice(dropped);
    return dropped;
  }
}
