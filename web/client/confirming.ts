import { computed, signal } from '@preact/signals';

/** Asks the person to show again who they are, for calls that wait for it; one question for all of them. */
export class Confirming {
  readonly #waiting = signal<readonly ((isConfirmed: boolean) => void)[]>([]);
  /** Whether the person is asked now. */
  readonly isAsked = computed(() => this.#waiting.value.length > 0);

  /** Resolves with whether they have shown it; false when they would not. */
  ask(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting.value = [...this.#waiting.peek(), resolve];
    });
  }

  /** Ends the question. */
  settle(isConfirmed: boolean): void {
    const waiting = this.#waiting.peek();
    this.#waiting.value = [];
    for (const resolve of waiting) resolve(isConfirmed);
  }
}
