/** Kinds of extra fields an error may carry, for its type and its documentation. */
export type ExtraKind = 'integer' | 'number' | 'string' | 'boolean' | 'strings' | 'objects' | 'any';

interface ExtraTypes {
  integer: number;
  number: number;
  string: string;
  boolean: boolean;
  strings: readonly string[];
  objects: readonly unknown[];
  any: unknown;
}

type Extra<E extends Record<string, ExtraKind>> = { -readonly [K in keyof E]: ExtraTypes[E[K]] };

/** One row of the error table: what goes over the wire when this error is thrown. */
export interface ApiErrorRow {
  readonly code: string;
  readonly status: number;
  readonly extra: Readonly<Record<string, ExtraKind>>;
  /** The message, or its text with `{field}` where a value stands. */
  readonly text: string;
}

/** An answer that is not a success: thrown anywhere, sent by the outermost layer as the error envelope. */
export class ApiError extends Error {
  readonly row: ApiErrorRow;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(row: ApiErrorRow, message: string, extra: Readonly<Record<string, unknown>>) {
    super(message);
    this.row = row;
    this.extra = extra;
  }
}

/** Creates one error of a declared row. */
export interface ErrorFactory<A extends readonly unknown[] = readonly never[]> {
  (...args: A): ApiError;
  readonly row: ApiErrorRow;
}

interface Declaration<E extends Record<string, ExtraKind>, V> {
  readonly code?: string;
  readonly status?: number;
  readonly extra?: E;
  /** Fixed text, or a function of the extra fields and of values that only the message shows. */
  readonly message: string | ((values: Extra<E> & V) => string);
}

/** Declares an error: code `BAD_REQUEST` and status 400 unless said otherwise. */
export function apiError<E extends Record<string, ExtraKind> = Record<never, never>, V = unknown>(
  declaration: Declaration<E, V>,
): ErrorFactory<string extends keyof E ? [] : keyof (Extra<E> & V) extends never ? [] : [values: Extra<E> & V]> {
  const { message } = declaration;
  const extra: Record<string, ExtraKind> = declaration.extra ?? {};
  const row: ApiErrorRow = {
    code: declaration.code ?? 'BAD_REQUEST',
    status: declaration.status ?? 400,
    extra,
    text: typeof message === 'string' ? message : message(placeholders as Extra<E> & V),
  };
  const make = (values?: Extra<E> & V): ApiError => {
    const given: Record<string, unknown> = { ...values };
    const fields = Object.fromEntries(Object.keys(extra).map((key) => [key, given[key]]));
    return new ApiError(row, typeof message === 'string' ? message : message(given as Extra<E> & V), fields);
  };
  return Object.assign(make, { row });
}

/** Stands in for the values of a message when its text is documented. */
const placeholders = new Proxy({}, { get: (_target, name) => `{${String(name)}}` });

/** Asserts what must hold; when it does not, that is a bug, answered with 500 and logged. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant: ${message}`);
}
