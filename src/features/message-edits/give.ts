import { type ChannelRow, hasSharedHistory, subscribersOf } from '#features/channels';
import {
  Alike,
  countDelivered,
  deleteEmptied,
  deliveredInSlices,
  insertDelivered,
  insertDelivery,
  type Interval,
  joined,
  type MessageHead,
  outside,
  readPlaces,
  type ReadState,
  setDelivery,
  setReadStates,
  Stretches,
  tellUnread,
} from '#features/messages';
import type { RealmRefWriteTx } from '#kernel/auth';
import type { DeliveryId, MessageId, RecipientId, UserId } from '#kernel/ids';
import { inParts, type RealmReadTx } from '#kernel/store';
import { TooManyMoved } from './errors.ts';
import { deliveriesOf, type Owned, ownedBy, receivers } from './recipients.ts';

/** Messages that were moved, ascending, and as they were before. */
interface Moved {
  readonly source: ChannelRow;
  readonly target: ChannelRow;
  readonly rows: readonly MessageHead[];
}

interface Holders {
  /** Users who had one of the messages and may read their new place. */
  readonly keepers: readonly UserId[];
  /** Users who may not. */
  readonly losers: readonly UserId[];
}

/** Pairs of a moved message and a user that are processed before other requests are served. */
const PAIRS_AT_ONCE = 10_000;
/** Most such pairs of one move: each user is looked at, and others cannot write meanwhile. */
const MAX_PAIRS = 5_000_000;
/**
 * Most rows about users that one move reads of earlier deliveries, and most that it writes. Few have more than two,
 * save where messages that some have read and some have not lie between each other.
 */
const MAX_ROWS = 200_000;

/** Throws if messages are in so many earlier deliveries that moving them takes too long. */
export async function assertFewDeliveries(tx: RealmReadTx, rows: readonly MessageHead[]): Promise<void> {
  if ((await countDelivered(tx, deliveriesOf(rows), MAX_ROWS + 1)) > MAX_ROWS) throw TooManyMoved();
}

/**
 * Keepers keep their read state; messages that a subscriber did not have count as read. Messages that were not received
 * through a subscription to the new channel are delivered: those that keepers had, and, if history is protected, for
 * subscribers also those that they did not have. They leave the deliveries of earlier moves, of which losers lose them
 * and all others keep them.
 */
export async function giveMoved(tx: RealmRefWriteTx, moved: Moved, { keepers, losers }: Holders): Promise<void> {
  const { source, target, rows } = moved;
  const ids = rows.map(({ id }) => id);
  const left = deliveriesOf(rows);
  const subscribers = await subscribersOf(tx, [source.id, target.id]);
  const present = subscribers.get(target.id) ?? [];
  const people = new Set([...keepers, ...present]);
  for await (const received of deliveredInSlices(tx, left)) for (const { user_id } of received) people.add(user_id);
  for (const user of losers) people.delete(user);
  if (people.size * ids.length > MAX_PAIRS) throw TooManyMoved();
  const had = await receivers(tx, source, rows);
  const share = sharing(moved, {
    isKeeper: new Set(keepers),
    isPresent: new Set(present),
    wasPresent: new Set(subscribers.get(source.id)),
    received: (await receivers(tx, target, rows)).by,
  });
  const stretches = await Stretches.of(tx, { ids, recipient_id: target.recipient_id });
  const unread = new Alike();
  const delivery = new Delivering(tx, target.recipient_id, ids);
  let written = 0;
  await inParts([...people], Math.ceil(PAIRS_AT_ONCE / ids.length), async (some) => {
    const owned = await ownedBy(tx, had, { users: some, rows });
    const read = await readPlaces(tx, some, { ids, recipient_id: source.recipient_id });
    const shares = some.map((user) => [user, share(user, owned, read(user))] as const);
    written += await setReadStates(tx, new Map(shares), stretches);
    written += await delivery.give(shares.map(([user, { given }]) => [user, given]));
    if (written > MAX_ROWS) throw TooManyMoved();
    for (const [user, { again }] of shares) if (again.length > 0) unread.add(user, idsAt(ids, again));
  });
  await delivery.end(left);
  await tellUnread(tx, unread.all);
}

interface Sides {
  readonly isKeeper: ReadonlySet<UserId>;
  readonly isPresent: ReadonlySet<UserId>;
  /** Subscribers of the channel that the messages came from. */
  readonly wasPresent: ReadonlySet<UserId>;
  /** Which of the messages somebody received through a subscription to the new channel. */
  readonly received: (user: UserId) => readonly Interval[];
}

/** What becomes of the messages for a user, as intervals of places among them. */
interface Share extends ReadState {
  readonly given: readonly Interval[];
  /** Those that the user had, and that count among the unread ones only now. */
  readonly again: readonly Interval[];
}

const NONE: readonly Interval[] = [];

/** Returns how each user shares in moved messages; `before` are those that the user had read. */
function sharing(
  { target, rows }: Moved,
  { isKeeper, isPresent, wasPresent, received }: Sides,
): (user: UserId, owned: Owned, before: readonly Interval[]) => Share {
  const everything = [{ first: 0, last: rows.length - 1 }];
  const isShared = hasSharedHistory(target);
  return (user, owned, before) => {
    const [keeps, isHere, own] = [isKeeper.has(user), isPresent.has(user), owned.all(user)];
    const missed = isHere ? outside(everything, own) : NONE;
    const read = keeps ? joined([...before, ...missed]) : missed;
    const kept = [...(keeps ? own : owned.delivered(user)), ...(isShared ? NONE : missed)];
    return {
      read,
      unread: keeps ? outside(everything, read) : NONE,
      given: outside(joined(kept), received(user)),
      again: keeps && isHere && !wasPresent.has(user) ? outside(own, before) : NONE,
    };
  };
}

/** The delivery of moved messages, which begins when the first user gets one. */
class Delivering {
  readonly #tx: RealmRefWriteTx;
  readonly #recipientId: RecipientId;
  readonly #ids: readonly MessageId[];
  #id: DeliveryId | undefined;

  constructor(tx: RealmRefWriteTx, recipientId: RecipientId, ids: readonly MessageId[]) {
    this.#tx = tx;
    this.#recipientId = recipientId;
    this.#ids = ids;
  }

  /** Gives users the messages at some places; returns the number of rows. */
  async give(shares: readonly (readonly [user: UserId, places: readonly Interval[]])[]): Promise<number> {
    if (shares.every(([, places]) => places.length === 0)) return 0;
    const delivery_id = (this.#id ??= await insertDelivery(this.#tx, this.#recipientId));
    const rows = shares.flatMap(([user_id, places]) =>
      places.map(({ first, last }) => ({
        delivery_id,
        user_id,
        first_id: Number(this.#ids[first]),
        last_id: Number(this.#ids[last]),
      })),
    );
    await insertDelivered(this.#tx, rows);
    return rows.length;
  }

  /** Puts the messages into it, or, where nobody needs it, into none, and ends the deliveries that are left empty. */
  async end(left: readonly DeliveryId[]): Promise<void> {
    if (this.#id === undefined && left.length === 0) return;
    await setDelivery(this.#tx, this.#ids, this.#id ?? null);
    await deleteEmptied(this.#tx, left);
  }
}

function idsAt(ids: readonly MessageId[], places: readonly Interval[]): readonly MessageId[] {
  return places.flatMap(({ first, last }) => ids.slice(first, last + 1));
}
