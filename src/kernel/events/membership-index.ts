import type { ChannelId, RealmId, UserId } from '#kernel/ids';
import type { RealmReadTx, Store } from '#kernel/store';

/** One subscription period of a user in a channel: in log positions (from, to], and in message IDs (first, last]. */
export interface Period {
  readonly from: number;
  /** Undefined while the period lasts. */
  readonly to: number | undefined;
  /** Messages above this ID were received. */
  readonly first_message_id: number;
  /** Messages up to this ID were received; undefined while the period lasts. */
  readonly last_message_id: number | undefined;
}

/** A change of membership, carried by the entry that announces it. */
export interface MembershipChange {
  readonly channel_id: ChannelId;
}

/** Reads all periods of a channel; given by the slice that owns subscriptions. Ascending by `from` for each user. */
export type MembershipSource = (
  tx: RealmReadTx,
  channelId: ChannelId,
) => Promise<readonly (Period & { readonly user_id: UserId })[]>;

const NONE: readonly Period[] = [];

/** Who was subscribed to one channel, and when. */
export class MembershipIndex {
  readonly #periods = new Map<number, Period[]>();

  constructor(periods: readonly (Period & { readonly user_id: UserId })[]) {
    for (const period of periods) {
      const known = this.#periods.get(period.user_id);
      if (known) known.push(period);
      else this.#periods.set(period.user_id, [period]);
    }
  }

  periodsOf(userId: UserId): readonly Period[] {
    return this.#periods.get(userId) ?? NONE;
  }
}

/** Most indexes in the cache; the one unused for longest goes first. */
const MAX_INDEXES = 2000;

/** Membership indexes, read from the database on first use and read again after a change of membership. */
export class MembershipIndexes {
  readonly #store: Store;
  readonly #source: MembershipSource;
  readonly #loaded = new Map<string, Promise<MembershipIndex>>();

  constructor(store: Store, source: MembershipSource) {
    this.#store = store;
    this.#source = source;
  }

  /**
   * Returns the membership index of each named channel. An index is right for all entries that are older than itself.
   */
  async of(realmId: RealmId, channelIds: Iterable<ChannelId>): Promise<ReadonlyMap<ChannelId, MembershipIndex>> {
    const memberships = new Map<ChannelId, MembershipIndex>();
    for (const id of new Set(channelIds)) memberships.set(id, await this.#load(realmId, id));
    return memberships;
  }

  forget(realmId: RealmId, channelId: ChannelId): void {
    this.#loaded.delete(`${realmId}:${channelId}`);
  }

  #load(realmId: RealmId, channelId: ChannelId): Promise<MembershipIndex> {
    const key = `${realmId}:${channelId}`;
    const loading = this.#loaded.get(key) ?? this.#read(realmId, channelId, key);
    this.#loaded.delete(key);
    this.#loaded.set(key, loading);
    const oldest = this.#loaded.keys().next().value;
    if (this.#loaded.size > MAX_INDEXES && oldest !== undefined) this.#loaded.delete(oldest);
    return loading;
  }

  #read(realmId: RealmId, channelId: ChannelId, key: string): Promise<MembershipIndex> {
    const loading = this.#store
      .of(realmId)
      .query((tx) => this.#source(tx, channelId))
      .then((periods) => new MembershipIndex(periods));
    loading.catch(() => this.#loaded.delete(key));
    return loading;
  }
}
