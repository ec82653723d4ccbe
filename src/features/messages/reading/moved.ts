import type { MessageId, RecipientId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import { changeIntervals, type Given } from './change.ts';
import { type Interval, joined, outside, placesWithin, spanOf } from './intervals.ts';
import { listIntervals } from './queries.ts';
import { neighboursOf } from './read-state.ts';

/** Messages of one conversation, ascending. */
interface Listed {
  readonly ids: readonly MessageId[];
  readonly recipient_id: RecipientId;
}

/** Which of the messages each user has read, as intervals of their places in the list, ascending. */
export async function readPlaces(
  tx: RealmReadTx,
  users: readonly UserId[],
  { ids, recipient_id }: Listed,
): Promise<(user: UserId) => readonly Interval[]> {
  const rows = await listIntervals(tx, users, [recipient_id], spanOf(ids));
  const read = grouped(
    rows.flatMap(({ user_id, first_id, last_id }) =>
      placesWithin(ids, { first: first_id, last: last_id }).map((places) => [user_id, places] as const),
    ),
  );
  return (user) => joined(read.get(user) ?? []);
}

/** What a user has read and has not read, as intervals of places in a list of messages; the rest stays as it is. */
export interface ReadState {
  readonly read: readonly Interval[];
  readonly unread: readonly Interval[];
}

interface Marked extends Interval {
  readonly isRead: boolean;
}

/**
 * Stores what users have read of the messages, and returns how many rows that changed; three queries for any number of
 * both. The caller has locked the log.
 */
export async function setReadStates(
  tx: RealmWriteTx,
  states: ReadonlyMap<UserId, ReadState>,
  stretches: Stretches,
): Promise<number> {
  const { recipient_id } = stretches;
  const given = [...states].flatMap(([userId, { read, unread }]) =>
    [...stretches.readIn(read), ...stretches.unreadIn(unread)].map(
      (interval): Given<Marked> => ({ userId, recipient_id, interval }),
    ),
  );
  if (given.length === 0) return 0;
  return changeIntervals(tx, given, (known, marked) => {
    const read = marked.filter(({ isRead }) => isRead);
    // Releases until November 2026 stored some that overlap.
    return joined([...outside(joined(known), joined(marked.filter(({ isRead }) => !isRead))), ...read]);
  });
}

/**
 * Messages that follow each other in their conversation: the places of the first and the last, and the IDs around them.
 */
interface Stretch {
  readonly first: number;
  last: number;
  readonly before: MessageId | null;
  after: MessageId | null;
}

/** Messages by which of them follow each other in their conversation, where others may be in between. */
export class Stretches {
  readonly recipient_id: RecipientId;
  readonly #ids: readonly MessageId[];
  readonly #stretches: readonly Stretch[];

  private constructor({ ids, recipient_id }: Listed, stretches: readonly Stretch[]) {
    this.recipient_id = recipient_id;
    this.#ids = ids;
    this.#stretches = stretches;
  }

  static async of(tx: RealmReadTx, listed: Listed): Promise<Stretches> {
    const neighbours = await neighboursOf(tx, listed.ids);
    const stretches: Stretch[] = [];
    for (const [place, id] of listed.ids.entries()) {
      const { before = null, after = null } = neighbours.get(id) ?? {};
      const current = stretches.at(-1);
      if (current && before === listed.ids[place - 1]) [current.last, current.after] = [place, after];
      else stretches.push({ first: place, last: place, before, after });
    }
    return new Stretches(listed, stretches);
  }

  /** The IDs around messages at these places, up to those of other messages of the conversation. */
  readIn(places: readonly Interval[]): readonly Marked[] {
    return this.#each(places, (stretch, { first, last }) => {
      const before = first === stretch.first ? stretch.before : this.#idAt(first - 1);
      const after = last === stretch.last ? stretch.after : this.#idAt(last + 1);
      return {
        first: before === null ? this.#idAt(first) : before + 1,
        last: after === null ? this.#idAt(last) : after - 1,
        isRead: true,
      };
    });
  }

  /** The IDs from the first to the last of messages at these places that follow each other. */
  unreadIn(places: readonly Interval[]): readonly Marked[] {
    return this.#each(places, (_stretch, { first, last }) => ({
      first: this.#idAt(first),
      last: this.#idAt(last),
      isRead: false,
    }));
  }

  #idAt(place: number): number {
    return this.#ids[place] ?? 0;
  }

  /** Makes something of each part of the intervals that is within one stretch. */
  #each(places: readonly Interval[], make: (stretch: Stretch, part: Interval) => Marked): readonly Marked[] {
    const made: Marked[] = [];
    for (const { first, last } of places)
      for (let at = this.#stretchWith(first); at < this.#stretches.length; at++) {
        const stretch = this.#stretches[at];
        if (!stretch || stretch.first > last) break;
        made.push(make(stretch, { first: Math.max(first, stretch.first), last: Math.min(last, stretch.last) }));
      }
    return made;
  }

  #stretchWith(place: number): number {
    let [low, high] = [0, this.#stretches.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#stretches[middle]?.last ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
