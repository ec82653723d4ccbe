import { SECONDS_PER_DAY } from '#kernel/clock';
import { endpoint, everyone, humans, json, optional, path, pathText, raw, withDefault } from '#kernel/endpoint';
import type { Actor } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import type { ReadContext } from '#kernel/context';
import type { RealmReadTx } from '#kernel/store';
import { bool, dict, float, idOf, int, maybe, object, oneOf, text } from '#kernel/schema';
import { foldCase } from '#kernel/text';
import { apiEmail, findUser, findUsersByEmail, NoSuchUser, type UserRow } from '#features/users';
import { answerPing } from './answer.ts';
import { BotsHaveNoPresence, InvalidStatus, NoPresence } from './errors.ts';
import { findPresence, listPeoplePresences } from './queries.ts';
import { findPresenceCache } from './cache.ts';
import { HISTORY_DAYS, OFFLINE_SECONDS } from './rules.ts';
import { toLegacy, toLegacyStatus } from './to-wire.ts';
import { legacyPresence, presences } from './wire.ts';

const updatePresence = endpoint({
  id: 'update-presence',
  method: 'POST',
  path: '/users/me/presence',
  source: 'protocol/presence#reporting',
  doc: "Reports the caller's presence, and returns presences that changed since the last report.",
  who: humans,
  params: {
    history_limit_days: optional(json(int(), 'Days that a first fetch reaches back; 14 when absent, 0 for none.')),
    last_update_id: optional(json(int(), 'Newest update the client has; -1 for all. Data is then in the modern form.')),
    new_user_input: withDefault(json(bool(), 'Whether the user has used the client since the last ping.'), false),
    ping_only: withDefault(json(bool(), 'Whether no presence data is wanted.'), false),
    slim_presence: withDefault(json(bool(), 'Modern form without last_update_id; deprecated.'), false),
    status: raw(text({ max: 100 }), '`active` or `idle`.'),
  },
  returns: {
    presence_last_update_id: int(),
    server_timestamp: maybe(float()),
    presences: maybe(presences),
  },
  fails: [InvalidStatus],
  run: ({ context, actor, params, request }) => answerPing(context, actor, params, request),
});

const shownStatus = object({ status: oneOf('active', 'idle', 'offline'), timestamp: int() });
const onePresence = {
  returns: { presence: object({ aggregated: shownStatus, website: shownStatus }) },
  fails: [NoSuchUser, BotsHaveNoPresence, NoPresence],
} as const;

const getUserPresence = endpoint({
  id: 'get-user-presence',
  method: 'GET',
  path: '/users/{user_id}/presence',
  source: 'protocol/presence#reading-of-others',
  doc: 'When one person was last seen.',
  who: everyone,
  params: { user_id: path(idOf<UserId>()) },
  ...onePresence,
  run: ({ context, actor, params }) =>
    presenceOf(context, actor, String(params.user_id), (tx) => findUser(tx, params.user_id)),
});

const getUserPresenceByEmail = endpoint({
  id: 'get-user-presence-by-email',
  method: 'GET',
  path: '/users/{email}/presence',
  source: 'protocol/presence#reading-of-others',
  doc: 'When one person was last seen, by the address that the API uses for them.',
  who: everyone,
  params: { email: pathText('Address of the person.') },
  ...onePresence,
  run: ({ context, realm, actor, params }) =>
    presenceOf(context, actor, params.email, (tx) => findByApiEmail(tx, params.email, realm.host)),
});

const getRealmPresence = endpoint({
  id: 'get-realm-presence',
  method: 'GET',
  path: '/realm/presence',
  source: 'protocol/presence#reading-of-others',
  doc: 'When everybody was last seen, in the last 14 days.',
  who: everyone,
  params: {},
  returns: { server_timestamp: float(), presences: dict(legacyPresence) },
  async run({ context, realm, actor }) {
    const since = context.clock.now() - HISTORY_DAYS * SECONDS_PER_DAY;
    await findPresenceCache(context, realm.id)?.writer.flush();
    const rows = await context.store.in(realm).query((tx) => listPeoplePresences(tx, since));
    const host = realm.host;
    return {
      server_timestamp: context.clock.nowMs() / 1000,
      presences: Object.fromEntries(
        rows
          .filter((row) => !actor.viewer.hidden?.has(row.user_id))
          .map((row) => [apiEmail({ ...row, id: row.user_id, is_bot: false }, host), toLegacy(row)]),
      ),
    };
  },
});

/**
 * Finds somebody's presence. See protocol/presence#reading-of-others, checks 1, 2 and 4; `asked` is what the caller
 * named the user by.
 */
async function presenceOf(
  context: ReadContext,
  actor: Actor,
  asked: string,
  find: (tx: RealmReadTx) => Promise<UserRow | undefined>,
) {
  await findPresenceCache(context, actor.realmId)?.writer.flush();
  const { user, row } = await context.store.as(actor).read(async (tx) => {
    const found = await find(tx);
    return { user: found, row: found && (await findPresence(tx, found.id)) };
  });
  if (!user?.is_active || actor.viewer.hidden?.has(user.id)) throw NoSuchUser();
  if (user.is_bot) throw BotsHaveNoPresence();
  if (!row) throw NoPresence({ user: asked });
  const website = toLegacyStatus(row);
  const isOffline = context.clock.now() - website.timestamp > OFFLINE_SECONDS;
  return { presence: { aggregated: isOffline ? { ...website, status: 'offline' as const } : website, website } };
}

/** Finds a user only by the address that the API shows: a hidden address must not be confirmed. */
async function findByApiEmail(tx: RealmReadTx, email: string, host: string): Promise<UserRow | undefined> {
  const key = foldCase(email.trim());
  const row = (await findUsersByEmail(tx, [email], host)).get(key);
  return row && foldCase(apiEmail(row, host)) === key ? row : undefined;
}

export const presenceEndpoints = [updatePresence, getUserPresence, getUserPresenceByEmail, getRealmPresence];
