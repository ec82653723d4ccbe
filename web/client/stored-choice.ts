import { type Signal, signal } from '@preact/signals';

/**
 * A choice that each browser stores for itself, because the API has no setting for it. The first value is the default.
 */
class StoredChoice<Choice extends string> {
  readonly choices: readonly Choice[];
  readonly #name: string;
  readonly #own: Signal<Choice>;

  constructor(name: string, first: Choice, ...others: readonly Choice[]) {
    this.choices = [first, ...others];
    this.#name = name;
    this.#own = signal(first);
    this.read();
  }

  get value(): Choice {
    return this.#own.value;
  }

  /** Reads the stored choice, which another tab may have changed. */
  read(): void {
    const [first] = this.choices;
    const stored = this.choices.find((one) => one === readStored(this.#name)) ?? first;
    if (stored !== undefined) this.#own.value = stored;
  }

  choose(value: Choice): void {
    this.#own.value = value;
    try {
      localStorage.setItem(this.#name, value);
    } catch {
      // Without storage the choice lasts until the page is left.
    }
  }
}

function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Spacing of rows. */
export const density = new StoredChoice('roost-density', 'comfortable', 'compact');
/** A visitor's colour scheme; that of an account is one of its settings. */
export const visitorTheme = new StoredChoice('roost-theme', 'system', 'light', 'dark');
