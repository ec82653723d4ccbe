import { type Signal, signal } from '@preact/signals';

/** A choice that each browser keeps for itself, because the API has no place for it. Until one is made it is the first. */
class KeptChoice<Choice extends string> {
  readonly choices: readonly Choice[];
  readonly #shelf: string;
  readonly #own: Signal<Choice>;

  constructor(shelf: string, first: Choice, ...others: readonly Choice[]) {
    this.choices = [first, ...others];
    this.#shelf = shelf;
    this.#own = signal(first);
    this.read();
  }

  get value(): Choice {
    return this.#own.value;
  }

  /** Looks what is kept: another tab may have changed it. */
  read(): void {
    const [first] = this.choices;
    const kept = this.choices.find((one) => one === shelved(this.#shelf)) ?? first;
    if (kept !== undefined) this.#own.value = kept;
  }

  choose(value: Choice): void {
    this.#own.value = value;
    try {
      localStorage.setItem(this.#shelf, value);
    } catch {
      // It holds until the page is left.
    }
  }
}

function shelved(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** How close things stand. */
export const density = new KeptChoice('roost-density', 'comfortable', 'compact');
/** The colour scheme of a visitor; accounts have it among their settings. */
export const visitorTheme = new KeptChoice('roost-theme', 'system', 'light', 'dark');
