import type { RealmRefWriteTx } from '#kernel/auth';
import type { GroupId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { signal } from '#kernel/slice';

/**
 * Who is in some groups is about to change. What depends on it looks now, and again in the work it hands to `afterwards`,
 * in a transaction that has the organization as it is then.
 */
export const membershipChanging = signal<
  {
    readonly groupIds: readonly GroupId[];
    /** Who is a full member before the change is as of this time, in seconds since 1970. */
    readonly asOf: number;
    readonly afterwards: (work: (tx: RealmRefWriteTx) => Promise<void>) => void;
  },
  RealmRefWriteTx
>('group-membership-changing');

interface Options {
  /** The transaction with the organization as it is after the change, where that is another. */
  readonly after?: RealmRefWriteTx;
  /** The time as of which people are full members before the change; now when absent. */
  readonly asOf?: number;
}

/** Runs a change of who is in the groups, with everything that depends on it around. */
export async function changingMembership(
  context: Context,
  tx: RealmRefWriteTx,
  groupIds: readonly GroupId[],
  change: () => Promise<void>,
  { after = tx, asOf = tx.now }: Options = {},
): Promise<void> {
  const following: ((tx: RealmRefWriteTx) => Promise<void>)[] = [];
  await membershipChanging.send(context, tx, { groupIds, asOf, afterwards: (work) => following.push(work) });
  await change();
  for (const work of following) await work(after);
}
