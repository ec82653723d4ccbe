import type { UserId } from '#kernel/ids';
import { without } from '#kernel/lists';
import { Role } from '#kernel/permissions';
import { changeMembership, directMembers, findGroupByName } from '#features/groups';
import type { Step, Sync } from './step.ts';

/** Those whom the directory has, with the directory's groups they are in. */
export type Seen = ReadonlyMap<UserId, readonly string[]>;

/**
 * Puts people into the user groups that the operator named and takes them out again. Who has no account connected to the
 * directory stays in or out, as people decided.
 */
export async function groupSteps(sync: Sync, seen: Seen): Promise<readonly Step[]> {
  const steps: Step[] = [];
  for (const [name, sources] of sync.directory.groups) steps.push(...(await stepsOfGroup(sync, seen, name, sources)));
  return steps;
}

async function stepsOfGroup(
  sync: Sync,
  seen: Seen,
  name: string,
  sources: ReadonlySet<string>,
): Promise<readonly Step[]> {
  const { context, realm, actor, known } = sync;
  const found = await context.store.in(realm).read(async (tx) => {
    const group = await findGroupByName(tx, name);
    return group && { group, members: (await directMembers(tx, [group.id])).get(group.id) ?? [] };
  });
  if (found?.group.group_kind !== 'named' || found.group.deactivated)
    return [{ person: '', what: 'skip', detail: `there is no user group ${name}` }];
  const { group, members } = found;
  const wanted = [...seen].filter(([, groups]) => groups.some((one) => sources.has(one))).map(([id]) => id);
  const add = without(wanted, members);
  const gone = without(members, wanted).filter((id) => seen.has(id));
  const change = { add, delete: gone, add_subgroups: [], delete_subgroups: [] };
  if (add.length + gone.length === 0) return [];
  // The operator named the group, so it does not matter who may manage it.
  const operator = { ...actor, role: Role.owner };
  const run = () => changeMembership(context, operator, group.id, change);
  const step = (id: UserId, what: 'join' | 'leave') => ({
    person: known.people.get(id)?.email ?? '',
    what,
    detail: name,
  });
  const steps = [...add.map((id) => step(id, 'join')), ...gone.map((id) => step(id, 'leave'))];
  // One change of the group for all members: the first step makes it.
  return steps.map((one, index) => (index === 0 ? { ...one, run } : one));
}
