import { computed, signal } from '@preact/signals';

/** Asks the person to confirm who they are, for calls that need it; concurrent calls share one question. */
export class Confirming {
  readonly #waiting = signal<readonly ((isConfirmed: boolean) => void)[]>([]);
  /** Whether the question is open. */
  readonly isAsked = computed(() => this.#waiting.value.length > 0);

  /** Resolves with whether the person confirmed; false when they declined. */
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
