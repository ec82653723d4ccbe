import type { CallerReadTx } from '#kernel/auth';
import type { View } from '#kernel/events';
import type { ReadContext } from '#kernel/context';
import type { Schema } from '#kernel/schema';
import type { CachedRead } from './shared-cache.ts';

/** What the client asked for, as far as state depends on it. */
export interface StateRequest {
  /** Whether a fetch type is wanted. */
  readonly wants: (fetchType: string) => boolean;
  /** Whether the client named a fetch type in its list. */
  readonly names: (fetchType: string) => boolean;
  readonly presenceHistoryDays: number;
}

/** What a part of the state is read with: one snapshot, which carries the organization and the viewer. */
export interface StateContext {
  readonly tx: CallerReadTx;
  readonly view: View;
  readonly request: StateRequest;
  readonly context: ReadContext;
  /** Readings shared with other viewers; undefined where everything is to be read afresh. */
  readonly cached: CachedRead | undefined;
}

/** A piece of the register response. */
export interface RegisterState {
  /** The word in `fetch_event_types` that selects it. */
  readonly fetchType: string;
  /** Further words that must be wanted too. */
  readonly alsoNeeds?: readonly string[];
  /**
   * It changes without an event to the viewer (presence does); never kept, always read anew. What it reads need not be of
   * one moment.
   */
  readonly isVolatile?: true;
  /** Why nothing keeps it fresh, where no event does. */
  readonly stale?: string;
  /**
   * The same for all viewers with the same text, which names all of the context that `read` looks at; undefined for a
   * viewer who shares it with nobody. A reading ends with the
   * events that are applied to its fields.
   */
  readonly sameFor?: (input: StateContext) => string | undefined;
  readonly source: string;
  readonly fields: Readonly<Record<string, Schema>>;
  /** Reads it; a field may be missing where the protocol lets it. */
  readonly read: (input: StateContext) => Promise<Readonly<Record<string, unknown>>>;
}

/** A piece of the register response, and what changes it. */
export interface SyncedState extends RegisterState {
  /** Types of all events that are applied to its fields. */
  readonly endedBy: readonly string[];
}

/** Declares a piece of the register response, beside the feature that owns it; the types of its fields stay known. */
export function registerState<const F extends RegisterState['fields']>(
  declaration: Omit<RegisterState, 'fields'> & { readonly fields: F },
): Omit<RegisterState, 'fields'> & { readonly fields: F } {
  return declaration;
}
