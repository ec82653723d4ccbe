/**
 * The meaning of the parameters with some name, and examples. If operations take it in different forms, there is an
 * example of each form; the first one that an operation's schema accepts is shown.
 */
export type Word = readonly [doc: string, ...examples: readonly [unknown, ...(readonly unknown[])]];

/** Meanings of parameters by name. */
export type Words = Readonly<Record<string, Word>>;
