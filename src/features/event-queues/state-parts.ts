import type { Actor, CallerReadTx, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { QueueDescriptor, View } from '#kernel/events';
import { type Segment, segment } from '#kernel/gzip';
import { type CachedRead, type StateContext, type StateRequest, type SyncedState, sharedCache } from '#kernel/state';

/** A request to register, decoded and checked. */
export interface Registration {
  readonly view: View;
  readonly event_types: readonly string[] | null;
  readonly fetch_event_types: readonly string[] | null;
  readonly narrow: QueueDescriptor['narrow'];
  readonly all_public_streams: boolean;
  readonly idle_seconds: number;
  readonly presence_history_limit_days: number;
}

/** The caller, the organization and the requested view. */
export interface Registering {
  readonly context: Context;
  readonly states: readonly SyncedState[];
  readonly realm: RealmRef;
  readonly actor: Actor | null;
  readonly registration: Registration;
}

/** Fields of the state by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** A part of the state: its fields or, where it is the same for many viewers, their JSON members after commas. */
export type StatePart = { readonly fields: Fields } | { readonly members: Segment };

/** Fields as JSON members, each after a comma. */
export function toMembers(fields: Fields): string {
  const members = JSON.stringify(fields).slice(1, -1);
  return members === '' ? '' : `,${members}`;
}

/** Reads the fields of all parts that are wanted, among those to `include`. */
export async function readFields(
  tx: CallerReadTx,
  registering: Registering,
  include: (state: SyncedState) => boolean,
): Promise<Fields> {
  const input = inputOf(tx, registering, undefined);
  const fields: Record<string, unknown> = {};
  for (const state of wantedStates(registering, input, include)) Object.assign(fields, await state.read(input));
  return fields;
}

/** Reads the same parts, from the cache where they are the same for many viewers. */
export async function readParts(
  tx: CallerReadTx,
  registering: Registering,
  include: (state: SyncedState) => boolean,
  cached: CachedRead,
): Promise<readonly StatePart[]> {
  const input = inputOf(tx, registering, cached);
  const parts: StatePart[] = [];
  for (const state of wantedStates(registering, input, include)) parts.push(await readPart(state, input, cached));
  return parts;
}

const membersCache = sharedCache<Segment>();

async function readPart(state: SyncedState, input: StateContext, cached: CachedRead): Promise<StatePart> {
  const sort = state.sameFor?.(input);
  if (sort === undefined) return { fields: await state.read(input) };
  const name = `${Object.keys(state.fields)[0] ?? ''} ${sort}`;
  const members = await cached(membersCache, name, state.endedBy, async () =>
    segment(toMembers(await state.read(input))),
  );
  return { members };
}

function inputOf(
  tx: CallerReadTx,
  { context, registration }: Registering,
  cached: CachedRead | undefined,
): StateContext {
  return { tx, view: registration.view, request: stateRequest(registration), context, cached };
}

function wantedStates(
  { states }: Registering,
  { request }: StateContext,
  include: (state: SyncedState) => boolean,
): readonly SyncedState[] {
  return states.filter((state) => include(state) && [state.fetchType, ...(state.alsoNeeds ?? [])].every(request.wants));
}

function stateRequest(registration: Registration): StateRequest {
  const wanted = registration.fetch_event_types ?? registration.event_types;
  const names = new Set(wanted ?? []);
  return {
    wants: (fetchType) => wanted === null || names.has(fetchType),
    names: (fetchType) => names.has(fetchType),
    presenceHistoryDays: Math.max(0, registration.presence_history_limit_days),
  };
}
