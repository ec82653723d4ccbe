import { type RealmReadTx, rowsOf } from '#kernel/store';
import { holds, type Scope, type SubscriptionPeriod } from './scope.ts';

type Interval = readonly [first: number, last: number];

/** Messages of a conversation, one after another, that the same people have and the same people have read. */
export interface Span {
  readonly first: number;
  readonly last: number;
  readonly read: readonly number[];
  readonly unread: readonly number[];
}

/** A conversation: those who are or were in it, or those of a direct one. */
interface Conversation {
  readonly recipient_id: number;
  readonly channel_id: number | null;
}

type ReadingScope = Pick<Scope, 'conversations' | 'periods' | 'hasPrivate'>;

/** Who has and who has read which messages: some numbers for each person and conversation. */
export class Reading {
  readonly #scope: ReadingScope;
  /** By conversation and user, in ascending order. */
  readonly #intervals: ReadonlyMap<number, ReadonlyMap<number, readonly Interval[]>>;
  readonly #spans = new Map<number, Span>();

  constructor(scope: ReadingScope, intervals: ReadonlyMap<number, ReadonlyMap<number, readonly Interval[]>>) {
    this.#scope = scope;
    this.#intervals = intervals;
  }

  /** Finds the span of a message; for most messages it is that of the previous one in their conversation. */
  spanOf(place: Conversation, id: number): Span {
    const known = this.#spans.get(place.recipient_id);
    if (known && known.first <= id && id <= known.last) return known;
    const found = this.#find(place, id);
    this.#spans.set(place.recipient_id, found);
    return found;
  }

  /** Whether somebody has read a message, even of a conversation in which they never were. */
  isRead(recipientId: number, user: number, id: number): boolean {
    return intervalAt(this.#intervals.get(recipientId)?.get(user) ?? [], id).isIn;
  }

  #find({ recipient_id, channel_id }: Conversation, id: number): Span {
    const { conversations, periods, hasPrivate } = this.#scope;
    const intervals = this.#intervals.get(recipient_id);
    // The IDs between which all that is found stays the same.
    let [first, last] = [0, Infinity];
    const within = ([from, to]: Interval) => {
      first = Math.max(first, from);
      last = Math.min(last, to);
    };
    const users = new Set<number>(channel_id === null ? conversations.get(recipient_id) : []);
    for (const period of channel_id === null ? [] : (periods.get(channel_id) ?? [])) {
      within(partOf(period, id));
      if (holds(period, id)) users.add(period.user_id);
    }
    const [read, unread]: [number[], number[]] = [[], []];
    for (const user of users) {
      if (!hasPrivate(user)) continue;
      const { isIn, part } = intervalAt(intervals?.get(user) ?? [], id);
      within(part);
      (isIn ? read : unread).push(user);
    }
    return { first, last, read, unread };
  }
}

/** The IDs before, during or after a subscription period, whichever part contains this message. */
function partOf({ after_message_id, until_message_id }: SubscriptionPeriod, id: number): Interval {
  if (id <= after_message_id) return [0, after_message_id];
  if (until_message_id === null) return [after_message_id + 1, Infinity];
  return id <= until_message_id ? [after_message_id + 1, until_message_id] : [until_message_id + 1, Infinity];
}

/**
 * Finds whether an ID is in one of these sorted intervals, and the range of IDs around it for which the answer is the
 * same.
 */
function intervalAt(intervals: readonly Interval[], id: number): { readonly isIn: boolean; readonly part: Interval } {
  let [low, high] = [0, intervals.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((intervals[middle]?.[1] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  const found = intervals[low];
  if (found && found[0] <= id) return { isIn: true, part: found };
  return { isIn: false, part: [(intervals[low - 1]?.[1] ?? -1) + 1, (found?.[0] ?? Infinity) - 1] };
}

/** Reads the read intervals of everybody. */
export async function readReading(tx: RealmReadTx, scope: Scope): Promise<Reading> {
  const intervals = new Map<number, Map<number, Interval[]>>();
  for await (const page of rowsOf(tx, 'read_interval'))
    for (const { user_id, recipient_id, first_id, last_id } of page) {
      const users = intervals.get(recipient_id) ?? new Map<number, Interval[]>();
      intervals.set(recipient_id, users);
      const known = users.get(user_id);
      if (known) known.push([first_id, last_id]);
      else users.set(user_id, [[first_id, last_id]]);
    }
  for (const users of intervals.values()) for (const list of users.values()) list.sort(([a], [b]) => a - b);
  return new Reading(scope, intervals);
}
