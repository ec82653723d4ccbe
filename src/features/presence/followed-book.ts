import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { PresenceBook } from './book.ts';
import { listPresencesAfter } from './queries.ts';

/**
 * The book of an organization, which follows the table by update ID. If no other process writes, it is behind only
 * after a call of `fallBehind`.
 */
export class FollowedBook {
  readonly book = new PresenceBook();
  readonly #context: Context;
  readonly #realm: RealmRef;
  /** Number of calls of `fallBehind`, and up to which of them the book has caught up. */
  #fallen = 1;
  #caughtUp = 0;
  #pulling: Promise<void> | undefined;

  constructor(context: Context, realm: RealmRef) {
    this.#context = context;
    this.#realm = realm;
  }

  /** Whether the book certainly has everything that was committed. */
  get isLevel(): boolean {
    return this.#caughtUp === this.#fallen && !this.#context.server.isShared;
  }

  /** Notes that rows were written that the book does not have. */
  fallBehind(): void {
    this.#fallen++;
  }

  /** Returns the book after it has caught up with the table. */
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
