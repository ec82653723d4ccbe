import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { PresenceList } from './list.ts';
import { listPresencesAfter } from './queries.ts';

/**
 * The list of an organization, which follows the table by update ID. If no other process writes, it is behind only
 * after a call of `markBehind`.
 */
export class SyncedPresences {
  readonly list = new PresenceList();
  readonly #context: Context;
  readonly #realm: RealmRef;
  /** Number of calls of `markBehind`, and up to which of them the list has caught up. */
  #marked = 1;
  #caughtUp = 0;
  #pulling: Promise<void> | undefined;

  constructor(context: Context, realm: RealmRef) {
    this.#context = context;
    this.#realm = realm;
  }

  /** Whether the list certainly has everything that was committed. */
  get isCurrent(): boolean {
    return this.#caughtUp === this.#marked && !this.#context.server.isShared;
  }

  /** Notes that rows were written that the list does not have. */
  markBehind(): void {
    this.#marked++;
  }

  /** Returns the list after it has caught up with the table. */
  async caughtUp(): Promise<PresenceList> {
    if (!this.isCurrent) await this.pull();
    return this.list;
  }

  pull(): Promise<void> {
    this.#pulling ??= this.#read().finally(() => {
      this.#pulling = undefined;
    });
    return this.#pulling;
  }

  async #read(): Promise<void> {
    const marked = this.#marked;
    this.list.add(await this.#context.store.in(this.#realm).query((tx) => listPresencesAfter(tx, this.list.newest)));
    this.#caughtUp = marked;
  }
}
