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

/**
 * What a part of the state is read with: one snapshot, which carries the organization and the viewer, and the request.
 */
export interface StateContext {
  readonly tx: CallerReadTx;
  readonly view: View;
  readonly request: StateRequest;
  readonly context: ReadContext;
  /** Reads values shared with other viewers; undefined where everything must be read afresh. */
  readonly cached: CachedRead | undefined;
}

/** A piece of the register response. */
export interface RegisterState {
  /** The word in `fetch_event_types` that selects it. */
  readonly fetchType: string;
  /** Further words that must be wanted too. */
  readonly alsoNeeds?: readonly string[];
  /**
   * Set where the value changes without an event to the viewer, as presence does: it is never cached, and its parts may
   * be read at different moments.
   */
  readonly isVolatile?: true;
  /** The reason why no event keeps it fresh, where none does. */
  readonly stale?: string;
  /**
   * Returns the same text for all viewers who share the value, which names all of the context that `read` looks at;
   * undefined for a viewer who shares it with nobody. A cached value ends with the events that are applied to its
   * fields.
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
