import { computed, signal } from '@preact/signals';
import type { Clock } from '../api/index.ts';

/** Milliseconds for which a notice is shown and its action can be undone. */
export const NOTICE_MS = 6000;
/** Most notices at once; older ones are dismissed. */
const MOST = 4;

/** A sentence about an action or an error. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
  /** Undoes what the notice reports. */
  readonly undo?: (() => void) | undefined;
  /** Key of what was changed: a newer notice about it replaces this one, which no longer says how it is. */
  readonly about?: string | undefined;
}

/** Notices, newest last. Each expires, except while the pointer or the focus is on it. */
export class Notices {
  readonly #clock: Clock;
  readonly #all = signal<readonly Notice[]>([]);
  readonly all = computed(() => this.#all.value);
  readonly #held = new Set<number>();
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Shows a notice, in place of one that says the same or is about the same. */
  show(text: string, more: Partial<Omit<Notice, 'id' | 'text'>> = {}): void {
    const notice: Notice = { isError: true, ...more, id: ++this.#last, text };
    const others = this.#all
      .peek()
      .filter(({ about, text: said, undo }) =>
        about === undefined ? undo !== undefined || said !== text : about !== more.about,
      );
    this.#all.value = [...others, notice].slice(-MOST);
    void this.#expire(notice.id);
  }

  dismiss(id: number): void {
    this.#held.delete(id);
    this.#all.value = this.#all.peek().filter((one) => one.id !== id);
  }

  /** Keeps a notice while it is held, and `NOTICE_MS` longer. */
  hold(id: number, isHeld: boolean): void {
    if (isHeld) this.#held.add(id);
    else if (this.#held.delete(id)) void this.#expire(id);
  }

  /** Undoes the newest action; returns whether there was one. */
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
