import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { Role } from '#kernel/permissions';
import { createOrganization } from '#features/organizations';
import { hashPassword, setPasswordHash } from '#features/sign-in';
import { insertUser, setUser, type UserRow } from '#features/users';

/** Password of every person in the demo. */
const PASSWORD = 'roost-demo-password';

const PEOPLE = {
  adam: { full_name: 'Adam Admin', email: 'admin@roost.test', role: Role.administrator },
  mona: { full_name: 'Mona Moderator', email: 'moderator@roost.test', role: Role.moderator },
  max: { full_name: 'Max Member', email: 'member@roost.test', role: Role.member },
  mia: { full_name: 'Mia Member', email: 'member2@roost.test', role: Role.member },
  gus: { full_name: 'Gus Guest', email: 'guest@roost.test', role: Role.guest },
} as const;
const DORA = { full_name: 'Dora Deactivated', email: 'deactivated@roost.test', role: Role.member } as const;

/** The people of the demo organization by first name. */
export type People = Readonly<Record<'olive' | keyof typeof PEOPLE, UserRow>>;

/** Creates the organization with its people and Max's bot. */
export async function insertPeople(context: Context): Promise<{ realm: RealmRef; people: People }> {
  const { realm, owner } = await createOrganization(context, {
    subdomain: '',
    name: 'Roost Demo',
    owner: { email: 'owner@roost.test', full_name: 'Olive Owner', password: PASSWORD },
    settings: { enable_spectator_access: true },
    // The demo has its own messages.
    isEmpty: true,
  });
  const hash = await hashPassword(PASSWORD);
  const people = await context.store.in(realm).write(async (tx) => {
    const insert = async (person: (typeof PEOPLE)[keyof typeof PEOPLE] | typeof DORA) => {
      const row = await insertUser(tx, { ...person, realm_id: realm.id, avatar_source: 'J' });
      await setPasswordHash(tx, row.id, hash);
      return row;
    };
    const rows = {
      olive: owner,
      adam: await insert(PEOPLE.adam),
      mona: await insert(PEOPLE.mona),
      max: await insert(PEOPLE.max),
      mia: await insert(PEOPLE.mia),
      gus: await insert(PEOPLE.gus),
    };
    // She left before the first channel was created.
    const dora = await insert(DORA);
    await setUser(tx, dora.id, { is_active: false });
    await insertUser(tx, {
      realm_id: realm.id,
      full_name: 'Demo Bot',
      email: 'demo-bot@roost.test',
      role: Role.member,
      is_bot: true,
      bot_type: 1,
      bot_owner_id: rows.max.id,
      avatar_source: 'J',
    });
    return rows;
  });
  return { realm, people };
}
