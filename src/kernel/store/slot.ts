/** Placeholder of an argument while a query is compiled; `encode` turns the argument into a parameter. */
export class Slot {
  readonly #index: number;
  readonly #encode: (value: unknown) => unknown;

  constructor(index: number, encode: (value: unknown) => unknown = (value) => value) {
    this.#index = index;
    this.#encode = encode;
  }

  /** Returns the parameter for this placeholder. */
  of(args: readonly unknown[]): unknown {
    return this.#encode(args[this.#index]);
  }

  encodedBy(encode: (value: unknown) => unknown): Slot {
    return new Slot(this.#index, (value) => encode(this.#encode(value)));
  }
}

/** A list as one parameter: bound now, or when the query that is being compiled runs. */
export function asParameter<T>(list: readonly T[], encode: (list: readonly T[]) => unknown): unknown {
  const value: unknown = list;
  // The cast is safe: the slot's argument is such a list.
  return value instanceof Slot ? value.encodedBy((argument) => encode(argument as readonly T[])) : encode(list);
}
