import type { Param, Params, UploadedFile } from '#kernel/endpoint';
import type { Id } from '#kernel/ids';
import type { SchemaOf, Shape } from '#kernel/schema';
import type { Operation } from './operations.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** The operations of a method. */
type Of<M extends Method> = Extract<Operation, { readonly method: M }>;
/** Paths of a method, with `{name}` for parameters. */
export type PathOf<M extends Method> = Of<M>['path'];
type Having<O, Path extends string> = O extends { readonly path: infer P } ? (Path extends P ? O : never) : never;
type Named<M extends Method, Path extends string> = Having<Of<M>, Path>;

/** The type of a value as callers write it: IDs are plain numbers, and lists may be read-only. */
type Plain<T> = T extends UploadedFile
  ? Blob
  : T extends Id<string>
    ? number
    : T extends readonly (infer U)[]
      ? readonly Plain<U>[]
      : T extends object
        ? { readonly [K in keyof T]: Plain<T[K]> }
        : T;

type ValueOf<P> = P extends Param<infer T> ? Plain<T> : never;
type Optional<P extends Params> = {
  [K in keyof P]: P[K] extends { readonly default: unknown }
    ? K
    : P[K] extends { readonly mayBeAbsent?: infer O }
      ? true extends O
        ? K
        : never
      : never;
}[keyof P];

type Input<P extends Params> = { readonly [K in Exclude<keyof P, Optional<P>>]: ValueOf<P[K]> } & {
  readonly [K in Optional<P>]?: ValueOf<P[K]> | undefined;
};
type OptionalMember<S extends Shape> = { [K in keyof S]: undefined extends SchemaOf<S[K]> ? K : never }[keyof S];
type Output<S extends Shape> = { readonly [K in Exclude<keyof S, OptionalMember<S>>]: SchemaOf<S[K]> } & {
  readonly [K in OptionalMember<S>]?: SchemaOf<S[K]>;
};

/** Parameters of an operation, including those of its path. */
export type InputOf<M extends Method, Path extends string> =
  Named<M, Path> extends { readonly params: infer P extends Params } ? Input<P> : never;
/** The type of an operation's answer. */
export type OutputOf<M extends Method, Path extends string> =
  Named<M, Path> extends { readonly returns: infer R extends Shape } ? Output<R> : never;
