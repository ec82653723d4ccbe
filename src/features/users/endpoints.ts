import type { Actor } from '#kernel/auth';
import { endpoint, everyone, json, optional, path, pathText, withDefault } from '#kernel/endpoint';
import type { UserId } from '#kernel/ids';
import { bool, idOf, list } from '#kernel/schema';
import type { RealmReadTx } from '#kernel/store';
import { NoSuchUser } from './errors.ts';
import { accessUser, findByVisibleEmail } from './find.ts';
import { listEverybody } from './everybody.ts';
import { listProfiles } from './lists/queries.ts';
import type { UserRow } from './tables.ts';
import { toWireUser } from './to-wire.ts';
import { type ProfileData, wireUser } from './wire.ts';

/** Most users that one call may name. */
const MAX_NAMED = 50_000;

const flags = {
  client_gravatar: withDefault(json(bool()), true),
  include_custom_profile_fields: withDefault(json(bool()), false),
};

/** Lists everybody in the organization, including deactivated accounts and bots. See protocol/users#operations. */
const listUsersEndpoint = endpoint({
  id: 'get-users',
  method: 'GET',
  path: '/users',
  source: 'protocol/users#operations',
  doc: 'All users and bots of the organization.',
  who: everyone,
  mayBeLarge: true,
  params: {
    ...flags,
    user_ids: optional(json(list(idOf<UserId>(), { max: MAX_NAMED }), 'Only these; unknown ones are left out.')),
  },
  returns: { members: list(wireUser) },
  async run({ actor, realm, params, context, request }) {
    const named = params.user_ids && new Set(params.user_ids);
    // Hidden accounts are left out of a list by IDs, and shown without details in a list of all.
    const isNamed = (row: UserRow) => !named || (named.has(row.id) && !actor.viewer.hidden?.has(row.id));
    return context.store.in(realm).read(async (tx) => {
      const show = async (some: readonly UserRow[]) => {
        const rows = some.filter((row) => !row.is_system_bot && isNamed(row));
        const ids = rows.map(({ id }) => id);
        const profiles = params.include_custom_profile_fields ? await listProfiles(tx, ids) : undefined;
        return rows.map((row) => shown(row, { ...params, actor, host: realm.host, profiles }));
      };
      return listEverybody(tx, show, request);
    });
  },
});

const getUser = endpoint({
  id: 'get-user',
  method: 'GET',
  path: '/users/{user_id}',
  source: 'protocol/users#operations',
  doc: 'One user by ID.',
  who: everyone,
  params: { user_id: path(idOf<UserId>()), ...flags },
  returns: { user: wireUser },
  fails: [NoSuchUser],
  async run({ actor, realm, params, context }) {
    return context.store.as(actor).read(async (tx) => {
      const row = await accessUser(tx, params.user_id);
      const profiles = await profileOf(tx, row, params);
      return { user: shown(row, { ...params, actor, host: realm.host, profiles }) };
    });
  },
});

const getUserByEmail = endpoint({
  id: 'get-user-by-email',
  method: 'GET',
  path: '/users/{email}',
  source: 'protocol/users#operations',
  doc: 'One user by email address: the real one where the caller may see it, or the API address.',
  who: everyone,
  params: { email: pathText('Address of the user.'), ...flags },
  returns: { user: wireUser },
  fails: [NoSuchUser],
  async run({ actor, realm, params, context }) {
    const host = realm.host;
    return context.store.as(actor).read(async (tx) => {
      const row = await findByVisibleEmail(tx, params.email, host);
      if (!row) throw NoSuchUser();
      const profiles = await profileOf(tx, row, params);
      return { user: shown(row, { ...params, actor, host, profiles }) };
    });
  },
});

type Profiles = ReadonlyMap<UserId, ProfileData>;

/** One person's profile data, if the request asks for it. */
async function profileOf(
  tx: RealmReadTx,
  row: UserRow,
  params: { include_custom_profile_fields: boolean },
): Promise<Profiles | undefined> {
  return params.include_custom_profile_fields ? listProfiles(tx, [row.id]) : undefined;
}

/** Who looks at users, and with which options. */
interface Showing {
  readonly actor: Actor;
  readonly host: string;
  readonly client_gravatar: boolean;
  /** Profile data of people, if the request asks for it. */
  readonly profiles: Profiles | undefined;
}

function shown(row: UserRow, { actor, host, client_gravatar, profiles }: Showing) {
  const { role, userId, viewer } = actor;
  const isHidden = viewer.hidden?.has(row.id) === true;
  return {
    ...toWireUser(row, host, { role, userId, clientGravatar: client_gravatar, hidden: viewer.hidden }),
    is_active: isHidden || row.is_active,
    ...(profiles && !row.is_bot && { profile_data: isHidden ? {} : (profiles.get(row.id) ?? {}) }),
  };
}

export const userEndpoints = [listUsersEndpoint, getUser, getUserByEmail];
