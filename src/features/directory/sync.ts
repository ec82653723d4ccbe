import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { Directory } from '#kernel/directory';
import type { UserId } from '#kernel/ids';
import { isOwner } from '#kernel/permissions';
import { administrationOf, deactivatePerson } from '#features/people';
import { accountOf, type Known, readKnown } from './known.ts';
import { groupSteps } from './membership.ts';
import { stepsOf, whoIs } from './person.ts';
import { setDirectoryPerson } from './queries.ts';
import { type Change, type Step, type Sync, take } from './step.ts';

/** How a directory is followed. */
interface Following {
  /** Whether changes are only listed, not made. */
  readonly isDryRun: boolean;
  /** Whether any number of accounts may end at once. */
  readonly endsAny: boolean;
}

/** More accounts would end than a mistake in a filter should end. */
export class TooManyGone extends Error {
  override readonly name = 'TooManyGone';
}

/** Accounts that may end at once: these many, or a fifth of those that are connected. */
const FEW = 5;
const SHARE = 0.2;

/**
 * Makes an organization's accounts as its directory says: names, roles, pictures, groups, and who has gone or come back.
 * Returns what changed, in this order. Throws a DirectoryFault when the directory's list is not whole (then nobody is taken
 * for gone), and TooManyGone. See protocol/authentication#directory.
 */
export async function followDirectory(
  context: Context,
  realm: RealmRef,
  directory: Directory,
  { isDryRun, endsAny }: Following,
): Promise<readonly Change[]> {
  const actor = await administrationOf(context, realm);
  const known = await readKnown(context, realm);
  const sync: Sync = { context, realm, directory, actor, known, isDryRun };
  const seen = new Map<UserId, readonly string[]>();
  const changes: Change[] = [];
  for await (const page of directory.pages())
    for (const person of page) {
      const account = accountOf(known, person);
      if (!account || seen.has(account.id)) continue;
      changes.push(...(await take(sync, await stepsOf(sync, person, account))));
      seen.set(account.id, person.groups);
    }
  const active = new Map([...seen].filter(([id]) => wasActive(known, id)));
  changes.push(...(await take(sync, await groupSteps(sync, active))));
  const leaving = leavingSteps(sync, new Set(seen.keys()));
  assertFew(known, leaving, endsAny);
  changes.push(...(await take(sync, leaving)));
  return changes;
}

/** Only active accounts are members: reactivated ones join the groups in the next run. */
function wasActive({ people }: Known, id: UserId): boolean {
  return people.get(id)?.is_active === true;
}

function leavingSteps({ context, realm, actor, known }: Sync, seen: ReadonlySet<UserId>): readonly Step[] {
  const gone = [...new Set(known.connected.values())].filter((id) => !seen.has(id));
  const accounts = gone.flatMap((id) => known.people.get(id) ?? []).filter((account) => account.is_active);
  return accounts.map((account): Step => {
    if (isOwner(account))
      return {
        ...whoIs(account),
        what: 'skip',
        detail: 'is not in the directory, but an owner: only people end owners',
      };
    const run = async () => {
      await deactivatePerson(context, actor, account.id, { actions: {}, comment: undefined });
      await context.store.in(realm).write((tx) => setDirectoryPerson(tx, account.id, { ended_at: tx.now }));
    };
    return { ...whoIs(account), what: 'deactivate', detail: '', run };
  });
}

function assertFew(known: Known, leaving: readonly Step[], endsAny: boolean): void {
  const ending = leaving.filter(({ what }) => what === 'deactivate').length;
  if (endsAny || ending <= Math.max(FEW, known.connected.size * SHARE)) return;
  throw new TooManyGone(
    `${ending} of ${known.connected.size} people are not in the directory any more: nobody was deactivated`,
  );
}
