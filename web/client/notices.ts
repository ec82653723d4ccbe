import { computed, signal } from '@preact/signals';
import type { Clock } from '../api/index.ts';

/** Milliseconds that a notice stays, and so the time in which something can be undone. */
export const NOTICE_MS = 6000;
/** Notices at once; older ones give way. */
const MOST = 4;

/** Something that was done or refused, in a sentence. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
  /** Does the opposite. */
  readonly undo?: (() => void) | undefined;
}

/** Sentences for the person, the newest last. Each goes after a while, but not under the pointer or with the focus. */
export class Notices {
  readonly #clock: Clock;
  readonly #all = signal<readonly Notice[]>([]);
  readonly all = computed(() => this.#all.value);
  readonly #held = new Set<number>();
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  tell(text: string, more: { readonly isError?: boolean; readonly undo?: () => void } = {}): void {
    const notice: Notice = { id: ++this.#last, text, isError: more.isError ?? true, undo: more.undo };
    this.#all.value = [...this.#all.peek(), notice].slice(-MOST);
    void this.#expire(notice.id);
  }

  dismiss(id: number): void {
    this.#held.delete(id);
    this.#all.value = this.#all.peek().filter((one) => one.id !== id);
  }

  /** Stays for as long as it is held, and for a while after. */
  hold(id: number, isHeld: boolean): void {
    if (isHeld) this.#held.add(id);
    else if (this.#held.delete(id)) void this.#expire(id);
  }

  /** Undoes what was done last; whether there was anything. */
  undoNewest(): boolean {
    const newest = this.#all.peek().findLast(({ undo }) => undo !== undefined);
    if (!newest) return false;
    this.dismiss(newest.id);
    newest.undo?.();
    return true;
  }

  async #expire(id: number): Promise<void> {
    await this.#clock.sleep(NOTICE_MS);
    if (!this.#held.has(id)) this.dismiss(id);
  }
}
