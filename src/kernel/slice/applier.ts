/** How events change the register state of a client: what `apply.ts` of a slice exports, with the events and fields it is for. */
export interface Applier {
  /** Event types, by `type`. */
  readonly types: readonly string[];
  /** Fields of the register response that these events keep fresh. */
  readonly fields: readonly string[];
  /** The fields that an event changes; pure. Which types these are, only the slice knows. */
  readonly apply: (state: never, event: never, me: never) => object;
  /** Whether it looks at fields that other slices keep, and so comes after them. */
  readonly isLast: boolean;
}

/** Declares how events keep fields of the register response fresh. */
export function applier(
  types: readonly string[],
  fields: readonly string[],
  apply: Applier['apply'],
  { isLast = false }: { readonly isLast?: boolean } = {},
): Applier {
  return { types, fields, apply, isLast };
}

/** Types of all events that change some of these fields: by the law of sync nothing else does. */
export function typesChanging(fields: readonly string[], appliers: readonly Applier[]): readonly string[] {
  const changing = appliers.filter((one) => one.fields.some((field) => fields.includes(field)));
  return [...new Set(changing.flatMap(({ types }) => types))];
}
