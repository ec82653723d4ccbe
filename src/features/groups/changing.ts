import type { RealmRef } from '#kernel/auth';
import type { GroupId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { signal } from '#kernel/slice';
import type { RealmWriteTx } from '#kernel/store';

/**
 * Who is in some groups is about to change. What depends on it looks now, and again in the work it hands to `afterwards`,
 * which is given the organization as it is then.
 */
export const membershipChanging = signal<{
  readonly realm: RealmRef;
  readonly groupIds: readonly GroupId[];
  /** Who is a full member before the change is as of this time, in seconds since 1970. */
  readonly asOf: number;
  readonly afterwards: (work: (realm: RealmRef) => Promise<void>) => void;
}>('group-membership-changing');

interface Options {
  /** The organization after the change, where it is another. */
  readonly after?: RealmRef;
  /** The time as of which people are full members before the change; now when absent. */
  readonly asOf?: number;
}

/** Runs a change of who is in the groups, with everything that depends on it around. */
export async function changingMembership(
  context: Context,
  tx: RealmWriteTx,
  realm: RealmRef,
  groupIds: readonly GroupId[],
  change: () => Promise<void>,
  { after = realm, asOf = tx.now }: Options = {},
): Promise<void> {
  const following: ((realm: RealmRef) => Promise<void>)[] = [];
  await membershipChanging.send(context, tx, { realm, groupIds, asOf, afterwards: (work) => following.push(work) });
  await change();
  for (const work of following) await work(after);
}
