import type { Actor } from '#kernel/auth';
import { SECONDS_PER_DAY } from '#kernel/clock';
import { CAPABILITIES, type Capability, PLAIN_VIEW, type QueueDescriptor, type View } from '#kernel/events';
import { RawBody } from '#kernel/endpoint';
import { join, pack } from '#kernel/gzip';
import type { Context } from '#kernel/context';
import type { SyncedState } from '#kernel/state';
import { actingAs } from '#kernel/store';
import { FEATURE_LEVEL, VERSION } from '#features/server-version';
import { assemble } from './assemble.ts';
import { RegisterCache } from './register-cache.ts';
import { type Snapshot, Snapshots } from './snapshots.ts';
import { SnapshotQueue } from './snapshot-queue.ts';
import { type Fields, type Registering, type Registration, readFields, readParts } from './state-parts.ts';

/** Seconds an idle queue lives unless the client says otherwise. See protocol/register#parameters. */
export const IDLE_SECONDS = 600;
/** Seconds for the word `mobile`, and the most that is given. See protocol/register#parameters. */
export const MOBILE_IDLE_SECONDS = 43_200;
export const MAX_IDLE_SECONDS = 7 * SECONDS_PER_DAY;

/** State as it is sent: freshly read, or the bytes of a snapshot with the fields that are never cached. */
interface State {
  readonly position: number;
  readonly fields: Fields;
  readonly snapshot: Snapshot | undefined;
}

/**
 * Reads the state that was asked for and makes a queue that begins where the state ends: state and later events lose
 * nothing and repeat nothing. See protocol/register#consistency. `ignored` are unknown parameters that the client sent.
 */
export async function register(
  registering: Registering,
  acceptsGzip: boolean,
  ignored: readonly string[],
): Promise<RawBody> {
  const { context, actor, registration } = registering;
  const { position, fields, snapshot } = await stateFor(registering);
  const facts = { zulip_version: VERSION, zulip_feature_level: FEATURE_LEVEL, zulip_merge_base: VERSION };
  const queue = actor
    ? await createQueue(context, actor, registration, position)
    : { queue_id: null, last_event_id: -1 };
  const rest = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {};
  const head = JSON.stringify({ result: 'success', msg: '', ...queue, ...facts, ...fields, ...rest });
  return snapshot ? withSnapshot(head, snapshot, acceptsGzip) : new RawBody(head);
}

async function createQueue(context: Context, actor: Actor, registration: Registration, position: number) {
  const { idle_seconds } = registration;
  const queue = {
    realm_id: actor.realmId,
    user_id: actor.userId,
    descriptor: descriptorOf(registration),
    acked_id: position,
    idle_seconds,
  };
  const queue_id = await context.store.write((tx) => context.queues.create(tx, queue));
  return { queue_id, last_event_id: position, idle_queue_timeout_secs: idle_seconds };
}

/** A snapshot's members, which follow those of the head, compressed once for all who receive them. */
async function withSnapshot(head: string, snapshot: Snapshot, acceptsGzip: boolean): Promise<RawBody> {
  const opening = head.slice(0, -1);
  if (!acceptsGzip) return new RawBody([opening, ...snapshot.segments.map(({ text }) => text), '}'].join(''));
  const packed = [await pack(Buffer.from(opening)), snapshot.packed, await pack(Buffer.from('}'))];
  return new RawBody(join(packed), 'gzip');
}

/** What a server keeps between registrations. */
interface Caches {
  readonly snapshots: Snapshots;
  readonly cache: RegisterCache;
  readonly queue: SnapshotQueue;
}

const cachesByLog = new WeakMap<Context['events'], Caches>();

function cachesOf(context: Context): Caches {
  const caches = cachesByLog.get(context.events) ?? {
    snapshots: new Snapshots(context.events, context.queues, context.clock),
    cache: new RegisterCache(context.events),
    queue: new SnapshotQueue(context.store),
  };
  cachesByLog.set(context.events, caches);
  return caches;
}

/**
 * The state at one position of the log. In production it may come from the viewer's snapshot; in development and tests
 * it is always read, so that a change without its event shows.
 */
async function stateFor(registering: Registering): Promise<State> {
  const { context, realm, actor } = registering;
  if (!actor || context.server.mode !== 'production')
    return context.store.asCaller(realm, actor).read(async (tx) => ({
      position: await context.events.head(tx),
      fields: await readFields(tx, registering, () => true),
      snapshot: undefined,
    }));
  const { snapshots } = cachesOf(context);
  const key = snapshotKey(actor, registering.registration);
  const now = context.clock.now();
  const known = await snapshots.find(key, actor, now);
  if (known) {
    const fields = await context.store.as(actor).query((tx) => readFields(tx, registering, isVolatile));
    return { position: known.position, fields, snapshot: known };
  }
  const { position, fields, segments } = await readState({ ...registering, actor });
  return { position, fields, snapshot: snapshots.add(key, segments, position, now) };
}

/**
 * Reads the whole state: what is never cached as fields, the rest as segments, most of which are cached from other
 * requests.
 */
export async function readState(registering: Registering & { readonly actor: Actor }) {
  const { context, realm, actor } = registering;
  const { cache, queue } = cachesOf(context);
  const now = context.clock.now();
  const { position, steady, fields } = await queue.read(realm.id, async (shared) => {
    const tx = actingAs(shared, actor);
    const position = await context.events.head(tx);
    const steady = await readParts(tx, registering, (state) => !isVolatile(state), cache.at(realm, position, now));
    return { position, steady, fields: await readFields(tx, registering, isVolatile) };
  });
  return { position, fields, segments: await assemble(steady) };
}

function isVolatile(state: SyncedState): boolean {
  return state.isVolatile === true;
}

/** One viewer, one role, one view: a snapshot never reaches anybody else. */
function snapshotKey(actor: Actor, registration: Registration): string {
  const { view, event_types, fetch_event_types, presence_history_limit_days } = registration;
  return JSON.stringify([
    actor.realmId,
    actor.userId,
    actor.role,
    actor.isFullMember,
    view,
    fetch_event_types ?? event_types,
    presence_history_limit_days,
  ]);
}

function descriptorOf({ event_types, narrow, all_public_streams, view }: Registration): QueueDescriptor {
  return { event_types, narrow, all_public_streams, view };
}

type Capabilities = { readonly [C in Capability]?: boolean | undefined };
type Parameters = Pick<View, 'apply_markdown' | 'client_gravatar' | 'slim_presence' | 'include_subscribers'>;

/** A view with the parameters and capabilities of a client. */
export function viewOf(parameters: Parameters, sent: Capabilities): View {
  const { apply_markdown, client_gravatar, slim_presence, include_subscribers } = parameters;
  const capabilities = Object.fromEntries(CAPABILITIES.map((name) => [name, sent[name] ?? false]));
  return { ...PLAIN_VIEW, ...capabilities, apply_markdown, client_gravatar, slim_presence, include_subscribers };
}
