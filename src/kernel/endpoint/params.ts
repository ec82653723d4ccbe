import type { Readable } from 'node:stream';
import { type Schema, type SchemaOf, str, text } from '#kernel/schema';

/**
 * How a parameter is sent. `lenient`: JSON text, or plain text if that is not JSON of the right kind. `body`: the whole
 * body, of any media type.
 */
type Encoding = 'raw' | 'json' | 'lenient' | 'path' | 'pathText' | 'file' | 'body';

/** A file part of a multipart body, read as it arrives. */
export interface UploadedFile {
  readonly fieldName: string;
  readonly filename: string;
  readonly contentType: string;
  readonly stream: Readable;
  /** Counts bytes of it that are kept in memory until the reply; throws if there is no room for them. */
  hold(bytes: number): void;
  /** Whether no further file follows; must be called after the stream was read to its end. */
  isLast(): Promise<boolean>;
}

/** One declared parameter. `O` says whether it may be absent. */
export interface Param<T = unknown, O extends boolean = boolean> {
  readonly encoding: Encoding;
  readonly schema: Schema<T>;
  /** Its meaning in this operation, if it differs from that of other parameters of the same name. */
  readonly doc: string;
  readonly required: boolean;
  readonly default?: T;
  /** An older name under which it is also accepted. */
  readonly alias?: string;
  readonly mayBeAbsent?: O;
}

export type Params = Readonly<Record<string, Param>>;

type Absent<P extends Params> = {
  [K in keyof P]: P[K] extends Param<unknown, infer O> ? (true extends O ? K : never) : never;
}[keyof P];
type ValueOf<P> = P extends Param<infer T, boolean> ? T : never;
/** The decoded parameters as a handler gets them. */
export type ParamsOf<P extends Params> = { readonly [K in Exclude<keyof P, Absent<P>>]: ValueOf<P[K]> } & {
  readonly [K in Absent<P>]: ValueOf<P[K]> | undefined;
};

const declare = <T>(encoding: Encoding, schema: Schema<T>, doc: string): Param<T, false> => ({
  encoding,
  schema,
  doc,
  required: true,
});

/** Plain text. */
export const raw = <T>(schema: Schema<T>, doc = ''): Param<T, false> => declare('raw', schema, doc);
/** JSON text. */
export const json = <T>(schema: Schema<T>, doc = ''): Param<T, false> => declare('json', schema, doc);
/** JSON text or plain text; for what some clients quote and others do not (protocol/wire#parameters). */
export const lenient = <T>(schema: Schema<T>, doc = ''): Param<T, false> => declare('lenient', schema, doc);
/** A number in the path, digits only. */
export const path = <T extends number>(schema: Schema<T>, doc = ''): Param<T, false> => declare('path', schema, doc);
/** A segment of the path that is not a number. */
export const pathText = (doc = ''): Param<string, false> => declare('pathText', text(), doc);
/** The one file part of a multipart body, whatever its name. */
export const file = (doc = ''): Param<UploadedFile, true> => ({
  encoding: 'file',
  // The cast is safe: a stream has no schema; it is checked where it is read.
  schema: str() as unknown as Schema<UploadedFile>,
  doc,
  required: false,
});

/** A body that the operation parses itself. */
export interface Posted {
  /** Media type without parameters, in lower case; empty if there is none. */
  readonly contentType: string;
  /** The raw bytes; undefined for a multipart body, and if there is no body. */
  readonly bytes: Buffer | undefined;
  /** Fields of a form. */
  readonly fields: ReadonlyMap<string, string>;
}

/** The whole body, for requests of other services, which choose its format. */
export const posted = (doc = ''): Param<Posted, false> => ({
  // The cast is safe: bytes have no schema; the integration parses them.
  ...declare('body', str() as unknown as Schema<Posted>, doc),
  required: false,
});

interface SettingLike {
  readonly schema: Schema;
  readonly default: unknown;
  readonly doc?: string;
}

/** One optional parameter for each setting of a table. Texts may also be sent without JSON quotes. */
export function paramsOfSettings<const S extends Readonly<Record<string, SettingLike>>>(settings: S) {
  const params = Object.entries(settings).map(([name, { schema, default: usual, doc }]) => [
    name,
    optional(typeof usual === 'string' ? lenient(schema, doc) : json(schema, doc)),
  ]);
  // The cast is safe: each parameter has the schema of the setting of its name.
  return Object.fromEntries(params) as { readonly [K in keyof S]: Param<SchemaOf<S[K]['schema']>, true> };
}

/** May be left out; the handler then gets undefined. */
export const optional = <T>(param: Param<T, boolean>): Param<T, true> => ({
  ...param,
  required: false,
  mayBeAbsent: true,
});
/** May be left out; the handler then gets `value`. */
export const withDefault = <T>(param: Param<T, boolean>, value: T): Param<T, false> & { readonly default: T } => ({
  ...param,
  required: false,
  default: value,
  mayBeAbsent: false,
});
/** Also accepted under an older name, but not under both at once. */
export const alias = <P extends Param>(param: P, name: string): P => ({ ...param, alias: name });
