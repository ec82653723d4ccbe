/** Errors of a linkifier or playground by field; `__all__` has those about several fields. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export const BLANK = 'This field cannot be blank.';
export const INVALID_TEMPLATE = 'Invalid URL template.';
const ALL = '__all__';

/** Collects errors in the order in which they are reported: single fields before `__all__`. */
export class FaultCollector {
  readonly #fields = new Map<string, string[]>();
  readonly #all: string[] = [];

  field(name: string, message: string): void {
    this.#fields.set(name, [...(this.#fields.get(name) ?? []), message]);
  }

  all(message: string): void {
    this.#all.push(message);
  }

  /** The errors, or undefined when there are none. */
  errors(): FieldErrors | undefined {
    if (this.#fields.size === 0 && this.#all.length === 0) return undefined;
    return { ...Object.fromEntries(this.#fields), ...(this.#all.length > 0 ? { [ALL]: this.#all } : {}) };
  }
}

/** Returns the first message, which becomes the text of the error. */
export function firstMessage(errors: FieldErrors): string {
  return Object.values(errors)[0]?.[0] ?? '';
}
