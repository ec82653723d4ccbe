import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { PresenceBook } from './book.ts';
import { listPresencesAfter } from './queries.ts';

/**
 * The book of an organization, which follows the table by update ID. Where no other process writes, it is behind only
 * after somebody has said so.
 */
export class FollowedBook {
  readonly book = new PresenceBook();
  readonly #context: Context;
  readonly #realm: RealmRef;
  /** How often it fell behind, and as of which of these times it has caught up. */
  #fallen = 1;
  #caughtUp = 0;
  #pulling: Promise<void> | undefined;

  constructor(context: Context, realm: RealmRef) {
    this.#context = context;
    this.#realm = realm;
  }

  /** Whether all that was committed is certainly in the book. */
  get isLevel(): boolean {
    return this.#caughtUp === this.#fallen && !this.#context.server.isShared;
  }

  /** Notes that rows were written which the book does not have. */
  fallBehind(): void {
    this.#fallen++;
  }

  /** The book, level with the table. */
  async level(): Promise<PresenceBook> {
    if (!this.isLevel) await this.pull();
    return this.book;
  }

  pull(): Promise<void> {
    this.#pulling ??= this.#read().finally(() => {
      this.#pulling = undefined;
    });
    return this.#pulling;
  }

  async #read(): Promise<void> {
    const fallen = this.#fallen;
    this.book.add(await this.#context.store.in(this.#realm).query((tx) => listPresencesAfter(tx, this.book.newest)));
    this.#caughtUp = fallen;
  }
}
