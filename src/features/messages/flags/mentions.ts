import type { RealmRefReadTx } from '#kernel/auth';
import type { MessageId, UserId } from '#kernel/ids';
import { inParts } from '#kernel/store';
import { membersOf } from '#features/groups';
import type { MessageHead } from '../core/index.ts';
import { flagsOfUsers, groupMentionsOf } from '../reading/index.ts';
import type { Audience } from './alike.ts';

/** Pairs of a message and a user that are looked at before other requests are served. */
const PAIRS_AT_ONCE = 10_000;

/** Which messages mention whom: by name, with the topic, with a group, or with everybody in the channel. */
export class Mentions {
  readonly #tx: RealmRefReadTx;
  readonly #forAll: ReadonlySet<MessageId>;
  readonly #byGroup: ReadonlyMap<MessageId, readonly ReadonlySet<UserId>[]>;

  private constructor(
    tx: RealmRefReadTx,
    forAll: ReadonlySet<MessageId>,
    byGroup: ReadonlyMap<MessageId, readonly ReadonlySet<UserId>[]>,
  ) {
    this.#tx = tx;
    this.#forAll = forAll;
    this.#byGroup = byGroup;
  }

  /** Asks who is in the groups that the messages mention, once for all of them. */
  static async in(tx: RealmRefReadTx, heads: readonly MessageHead[]): Promise<Mentions> {
    const forAll = heads.filter((head) => head.mentions_channel).map(({ id }) => id);
    const ids = heads.filter((head) => head.mentions_groups).map(({ id }) => id);
    const parts = await inParts(ids, PAIRS_AT_ONCE, (some) => groupMentionsOf(tx, some));
    const groups = new Map(parts.flatMap((part) => [...part]));
    const members = new Map<number, ReadonlySet<UserId>>();
    for (const group of new Set([...groups.values()].flat())) members.set(group, new Set(await membersOf(tx, [group])));
    const membersIn = (group: number) => members.get(group) ?? new Set<UserId>();
    return new Mentions(tx, new Set(forAll), new Map([...groups].map(([id, of]) => [id, of.map(membersIn)])));
  }

  /** Whether a message mentions everybody in its channel. */
  isForAll = (id: MessageId): boolean => this.#forAll.has(id);

  /** The messages that mention each of some users, ascending, besides those for everybody. */
  async of({ users, messages }: Audience): Promise<ReadonlyMap<UserId, readonly MessageId[]>> {
    const found = new Map(users.map((userId) => [userId, new Set<MessageId>()]));
    await inParts(messages, Math.ceil(PAIRS_AT_ONCE / users.length), async (some) => {
      for (const { user_id, message_id } of await flagsOfUsers(this.#tx, users, FLAGS, some))
        found.get(user_id)?.add(message_id);
      for (const id of some)
        for (const members of this.#byGroup.get(id) ?? [])
          for (const userId of users) if (members.has(userId)) found.get(userId)?.add(id);
    });
    return new Map([...found].map(([userId, ids]) => [userId, [...ids].toSorted((a, b) => a - b)]));
  }
}

const FLAGS = ['mentioned', 'topic_wildcard_mentioned'] as const;
