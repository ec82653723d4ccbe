/**
 * What a parameter of some name means, and values to show. Where operations take it in different forms, there is an
 * example of each: the first that an operation's schema accepts is shown.
 */
export type Word = readonly [doc: string, ...examples: readonly [unknown, ...(readonly unknown[])]];

/** Meanings of parameters by name. */
export type Words = Readonly<Record<string, Word>>;
