import type { DirectoryPerson } from '#kernel/directory';
import { MAPPED_ROLES } from '#kernel/identity';
import { isOwner, Role } from '#kernel/permissions';
import { storeAvatar } from '#features/avatars';
import { changePerson, reactivate } from '#features/people';
import { insertIdentity, LDAP_ISSUER } from '#features/sign-in';
import { nameRefusal, type UserRow } from '#features/users';
import { sha256 } from '#kernel/secretbox';
import { setDirectoryPerson } from './queries.ts';
import type { Sync, Step } from './step.ts';

/** What must happen to an account so that it is as the directory says. */
export async function stepsOf(sync: Sync, person: DirectoryPerson, account: UserRow): Promise<readonly Step[]> {
  const { known } = sync;
  const row = known.rows.get(account.id);
  // Somebody else ended it, for reasons of their own.
  if (!account.is_active && (row?.ended_at ?? null) === null) return [];
  return [
    ...(known.connected.has(person.subject) ? [] : [connecting(sync, person, account)]),
    ...returning(sync, account, row?.ended_at ?? null),
    ...(await renaming(sync, person, account)),
    ...changingRole(sync, person, account),
    ...picturing(sync, person, account, row?.picture_hash ?? null),
  ];
}

function connecting({ context, realm }: Sync, { subject }: DirectoryPerson, account: UserRow): Step {
  const row = { realm_id: realm.id, user_id: account.id, provider: LDAP_ISSUER, issuer: LDAP_ISSUER, subject };
  return {
    ...whoIs(account),
    what: 'connect',
    detail: '',
    run: () => context.store.in(realm).write((tx) => insertIdentity(tx, row)),
  };
}

function returning({ context, realm, actor }: Sync, account: UserRow, endedAt: number | null): readonly Step[] {
  if (endedAt === null) return [];
  const forget = () => context.store.in(realm).write((tx) => setDirectoryPerson(tx, account.id, { ended_at: null }));
  // An administrator brought them back before the directory did.
  if (account.is_active) return [{ ...whoIs(account), what: 'note', detail: 'is in the directory again', run: forget }];
  const run = async () => {
    await reactivate(context, actor, account.id);
    await forget();
  };
  return [{ ...whoIs(account), what: 'reactivate', detail: '', run }];
}

async function renaming(
  { context, realm, actor }: Sync,
  { name }: DirectoryPerson,
  account: UserRow,
): Promise<readonly Step[]> {
  const full_name = name?.trim() ?? '';
  if (full_name === '' || full_name === account.full_name) return [];
  const fault = await context.store.in(realm).query((tx) => nameRefusal(tx, full_name, account.id));
  if (fault !== undefined) return [{ ...whoIs(account), what: 'skip', detail: `name ${full_name}: ${fault}` }];
  const run = () => changePerson(context, actor, account.id, { full_name });
  return [{ ...whoIs(account), what: 'rename', detail: full_name, run }];
}

/** Owners are made and unmade by people only. */
function changingRole(
  { context, actor, directory }: Sync,
  { groups }: DirectoryPerson,
  account: UserRow,
): readonly Step[] {
  const { roles } = directory;
  const wanted = MAPPED_ROLES.find((role) => roles[role]?.some((group) => groups.includes(group)));
  if (wanted === undefined || isOwner(account) || Role[wanted] === account.role) return [];
  const run = () => changePerson(context, actor, account.id, { role: Role[wanted] });
  return [{ ...whoIs(account), what: 'role', detail: wanted, run }];
}

function picturing(
  { context, realm }: Sync,
  { picture }: DirectoryPerson,
  account: UserRow,
  known: string | null,
): readonly Step[] {
  if (!picture) return [];
  const picture_hash = sha256(picture);
  if (picture_hash === known) return [];
  const run = async () => {
    await storeAvatar(context, { realm, userId: account.id }, await context.images.makeAvatar(picture, account.id));
    await context.store.in(realm).write((tx) => setDirectoryPerson(tx, account.id, { picture_hash }));
  };
  return [{ ...whoIs(account), what: 'picture', detail: `${picture.length} bytes`, run }];
}

/** Names the account that a step is about. */
export function whoIs({ email }: UserRow): Pick<Step, 'person'> {
  return { person: email };
}
