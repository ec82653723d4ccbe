import { SECONDS_PER_DAY } from '#kernel/clock';
import {
  type Actor,
  type AuthSource,
  isOver,
  type Login,
  type RealmRef,
  type RealmRefReadTx,
  type ServerAddress,
} from '#kernel/auth';
import { InvalidApiKey } from '#kernel/errors';
import type { Hidden, Viewer, ViewerSource } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { Role } from '#kernel/permissions';
import { findMovedRealm, findRealmBySubdomain, readRealm, realmRefOf } from '#features/realms';
import { accountsByHeader, type KeyOwner } from './by-header.ts';
import { accountsByKey } from './keys.ts';
import { hiddenFrom, hiddenFromEach, mayNotKnowAll } from './hidden.ts';
import { findUser, findUsers } from './queries.ts';
import type { UserRow } from './tables.ts';
import { inRealm } from '#kernel/store';

/** Dependencies of finding organizations and accounts. */
interface Sources {
  /** The server's secret, from which API keys are derived. */
  readonly secret: string;
  readonly server: ServerAddress;
  readonly now: () => number;
}

/** Finds organizations and accounts for authentication. */
export function authSource({ secret, server, now }: Sources): AuthSource {
  const accountOf = accountsByHeader(secret);
  const accountOfKey = accountsByKey(secret);
  const toLogin = async (tx: RealmRefReadTx, { row, key }: KeyOwner): Promise<Login> => {
    if (key && isOver(key, now())) throw InvalidApiKey();
    const hidden = mayNotKnowAll(tx.realm, row) ? await hiddenFrom(tx, row, tx.realm.host) : undefined;
    const actor = actorOf(row, tx.realm, now(), hidden);
    const shownBy = key && ({ kind: 'device key', id: key.id, scope: key.scope } as const);
    return { actor: shownBy ? { ...actor, shownBy } : actor, isActive: row.is_active };
  };
  return {
    realm: async (tx, subdomain) => {
      const row = await findRealmBySubdomain(tx, subdomain);
      return row && realmRefOf(row, server);
    },
    movedRealm: async (tx, subdomain) => {
      const row = await findMovedRealm(tx, subdomain);
      return row && realmRefOf(row, server);
    },
    byHeader: async (tx, header) => toLogin(tx, await accountOf(tx, tx.realm.host, header)),
    byKey: async (tx, key) => toLogin(tx, await accountOfKey(tx, key)),
    byId: async (tx, userId) => {
      const row = await findUser(tx, userId);
      return row && !row.is_system_bot ? toLogin(tx, { row }) : undefined;
    },
  };
}

/** A user as an actor, without the client; `hidden` are accounts that they may not know of. */
export function actorOf(row: UserRow, realm: RealmRef, now: number, hidden?: Hidden): Omit<Actor, 'client'> {
  return {
    realm,
    realmId: realm.id,
    userId: row.id,
    role: row.role,
    isBot: row.is_bot,
    botType: row.bot_type,
    botOwnerId: row.bot_owner_id,
    email: row.email,
    fullName: row.full_name,
    dateJoined: row.date_joined,
    language: languageOf(row),
    isFullMember: isFullMember(row, realm.waitingPeriodDays, now),
    viewer: viewerOf(row, hidden),
  };
}

/** The language of somebody's settings, English if they have no other. */
function languageOf({ user_settings }: UserRow): string {
  const { default_language: language } = user_settings;
  return typeof language === 'string' ? language : 'en';
}

/**
 * A user as an actor, for what the server does on their behalf under the client name `client`; undefined if their
 * account has ended.
 */
export async function findActor(tx: RealmRefReadTx, userId: UserId, client: string): Promise<Actor | undefined> {
  const row = await findUser(tx, userId);
  return row?.is_active ? { ...actorOf(row, tx.realm, tx.now), client } : undefined;
}

/** Whether a user is a full member: at once with a role above member, else after the waiting period in whole days. */
export function isFullMember(row: Pick<UserRow, 'role' | 'date_joined'>, waitingDays: number, now: number): boolean {
  if (row.role < Role.member) return true;
  return row.role === Role.member && Math.floor((now - row.date_joined) / SECONDS_PER_DAY) >= waitingDays;
}

/** A user as the owner of event queues. */
function viewerOf(row: UserRow, hidden?: Hidden): Viewer {
  return {
    user_id: row.id,
    role: row.role,
    previous_role: row.previous_role,
    role_event_id: row.role_event_id,
    is_active: row.is_active,
    hidden,
  };
}

/** Reads the current owners of event queues. */
export function viewerSource(server: ServerAddress): ViewerSource {
  return async (tx, userIds) => {
    const realm = realmRefOf(await readRealm(tx), server);
    const rows = [...(await findUsers(tx, userIds)).values()];
    const hidden = await hiddenFromEach(inRealm(tx, realm), rows, realm.host);
    return rows.map((row) => viewerOf(row, hidden.get(row.id)));
  };
}
