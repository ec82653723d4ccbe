import type { Clock } from '#kernel/clock';
import type { RealmId } from '#kernel/ids';
import { receives, overhears } from './audience.ts';
import { type Entry, UNREADABLE } from './entry.ts';
import type { QueueNarrow } from './event.ts';
import type { MembershipIndex } from './membership-index.ts';
import type { View } from './view.ts';
import type { Viewer } from './viewer.ts';

/** What a client asked for when it registered; never changes. */
export interface QueueDescriptor {
  /** Null: all types. */
  readonly event_types: readonly string[] | null;
  readonly narrow: QueueNarrow;
  readonly all_public_streams: boolean;
  readonly view: View;
}

/** An event queue in the memory of this process. */
export interface Queue {
  readonly id: string;
  readonly realmId: RealmId;
  readonly descriptor: QueueDescriptor;
  readonly types: ReadonlySet<string> | undefined;
  readonly idleSeconds: number;
  /**
   * Where the queue began; while nothing beyond it is acknowledged, any lower ID means it (protocol/queues#polling).
   */
  readonly beganId: number;
  viewer: Viewer;
  /** Everything up to this ID has been acknowledged. */
  ackedId: number;
  /** Nothing up to this ID is for it that is not acknowledged, so a poll looks only at what comes after. */
  quietId: number;
  /** Number of its polls; an earlier one that still looks through old entries ends. */
  polls: number;
  /** Its newest heartbeat. A heartbeat is addressed to no user, so the queue itself remembers it. */
  heartbeatId: number;
  /** When the last sign of life was: in seconds since 1970, for other processes, and by the monotonic clock. */
  lastSeenAt: number;
  seenMs: number;
  /** Whether this process was the last one in which it was polled, as far as it knows. */
  isHere: boolean;
  /** Whether `ackedId`, `heartbeatId` or `lastSeenAt` may differ from the stored row. */
  isDirty: boolean;
}

/** Records a sign of life. */
export function markSeen(queue: Queue, clock: Pick<Clock, 'now' | 'monotonicMs'>): void {
  queue.lastSeenAt = clock.now();
  queue.seenMs = clock.monotonicMs();
  queue.isDirty = true;
}

/** The wire events of `entry` for this queue, as JSON texts with IDs above `after`. */
export function eventsFor(
  queue: Queue,
  entry: Entry,
  index: MembershipIndex | undefined,
  after: number,
): readonly string[] {
  if (!takesType(queue, entry)) return [];
  const addressed = receives(entry, queue.viewer, index);
  if (!addressed && !(listensWidely(queue) && overhears(entry, queue.viewer))) return [];
  const flags = entry.type.flagged ? entry.flagsOf(queue.viewer.user_id, addressed) : [];
  const { narrow, view } = queue.descriptor;
  if (entry.payload === UNREADABLE) return [];
  if (narrow.length > 0 && !entry.type.admits(entry.payload, narrow, flags)) return [];
  const prefixes = entry.variant(view, queue.viewer);
  // However many there are, the last wire event has the entry's last ID, so that acknowledging it acknowledges all.
  const firstId = entry.last_id - prefixes.length + 1;
  return prefixes.flatMap((prefix, index) => {
    const id = firstId + index;
    return id > after ? [`${prefix}${personalPart(queue, entry, flags)},"id":${id}}`] : [];
  });
}

function personalPart(queue: Queue, entry: Entry, flags: readonly string[]): string {
  if (!entry.type.flagged) return '';
  const marks = flags.length === 0 ? ',"flags":[]' : `,"flags":${JSON.stringify(flags)}`;
  const { origin } = entry.details;
  const isOwn = origin?.queue_id === queue.id && origin.user_id === queue.viewer.user_id;
  return isOwn ? `${marks},"local_message_id":${JSON.stringify(origin.local_id)}` : marks;
}

function takesType(queue: Queue, entry: Entry): boolean {
  const { types } = queue;
  if (types === undefined) return true;
  const { type, supersededBy } = entry.type;
  return types.has(type) && (supersededBy === undefined || !types.has(supersededBy));
}

function listensWidely(queue: Queue): boolean {
  return queue.descriptor.all_public_streams || queue.descriptor.narrow.length > 0;
}
