import type { Endpoints, Page } from '#kernel/endpoint';
import type { AnyEventType } from '#kernel/events';
import type { JobKind } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import type { GroupSetting } from '#kernel/permissions';
import type { RegisterState } from '#kernel/state';
import type { Table } from '#kernel/store';
import type { Applier } from './applier.ts';
import type { SignalHandler } from './signal.ts';

/** A slice's manifest: everything the server must know of a feature. */
export interface Slice {
  readonly name: string;
  readonly tables: readonly Table[];
  /** Tables of other slices that its queries join. */
  readonly reads: readonly string[];
  readonly endpoints: Endpoints;
  readonly pages: readonly Page[];
  readonly events: readonly AnyEventType[];
  readonly state: readonly RegisterState[];
  /** How its events change the state that clients keep. */
  readonly applies: readonly Applier[];
  readonly settings: readonly GroupSetting[];
  readonly jobs: readonly JobKind<never, Context>[];
  /** Signals of earlier slices that it hears. */
  readonly on: readonly SignalHandler[];
  /** Work in the background of a running server; returns what ends it. */
  readonly background: ((context: Context) => () => Promise<void>) | undefined;
}

type Declaration = Pick<Slice, 'name'> & { readonly [K in Exclude<keyof Slice, 'name'>]?: Slice[K] };

/** Declares a slice's manifest. */
export function slice(declaration: Declaration): Slice {
  return {
    tables: [],
    reads: [],
    endpoints: [],
    pages: [],
    events: [],
    state: [],
    applies: [],
    settings: [],
    jobs: [],
    on: [],
    background: undefined,
    ...declaration,
  };
}
