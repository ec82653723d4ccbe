import type { View } from '#kernel/events';
import { inParts, type RealmReadTx } from '#kernel/store';
import { listAccounts, listProfiles } from './lists/queries.ts';
import type { ListedRow } from './tables.ts';
import { type Viewer, toWireUser } from './to-wire.ts';
import type { WireUser } from './wire.ts';

/** All accounts of a realm, and the profile data of people. */
export interface People {
  readonly rows: readonly ListedRow[];
  readonly profiles: Profiles;
}

type Profiles = Awaited<ReturnType<typeof listProfiles>>;
const NOBODY: Profiles = new Map();

/** Reads all accounts; profile data is not read for spectators. */
export async function readPeople(tx: RealmReadTx, viewer: object | null): Promise<People> {
  const rows = await listAccounts(tx);
  const ids = rows.filter((row) => !row.is_bot).map(({ id }) => id);
  return { rows, profiles: viewer ? await listProfiles(tx, ids) : NOBODY };
}

/**
 * All accounts as one viewer sees them: active ones, deactivated ones, and system bots. See protocol/register#people.
 */
export async function toWireLists(
  { rows, profiles }: People,
  host: string,
  viewer: Viewer,
  view: Pick<View, 'user_list_incomplete'>,
) {
  const { active, gone } = ordinary(rows, viewer, view);
  const toWire = (row: ListedRow) => toWireListed(row, host, viewer, profiles);
  return {
    realm_users: await madeInTurns(active, toWire),
    realm_non_active_users: await madeInTurns(gone, toWire),
    cross_realm_bots: systemBots(rows, host, viewer),
  };
}

/** Accounts that are shown before other requests are served, and compressed together. */
export const RUN_LENGTH = 100;

export async function madeInTurns<T, R>(rows: readonly T[], make: (row: T) => R): Promise<R[]> {
  return (await inParts(rows, RUN_LENGTH, async (some) => some.map(make))).flat();
}

/** People and bots without system bots, split into active and deactivated ones. */
export function ordinary(
  rows: readonly ListedRow[],
  { hidden }: Viewer,
  { user_list_incomplete }: Pick<View, 'user_list_incomplete'>,
) {
  const isOmitted = (row: ListedRow) => user_list_incomplete && hidden?.has(row.id) === true;
  const listed = rows.filter((row) => !row.is_system_bot && !isOmitted(row));
  return { active: listed.filter((row) => row.is_active), gone: listed.filter((row) => !row.is_active) };
}

/**
 * The wire form of one account in the lists. Spectators get neither profile data nor the time of day at which somebody
 * joined.
 */
export function toWireListed(row: ListedRow, host: string, viewer: Viewer, profiles: Profiles): WireUser {
  const shown = toWireUser(row, host, viewer);
  if (viewer.userId === undefined) return { ...shown, date_joined: shown.date_joined.slice(0, 10) };
  if (row.is_bot) return shown;
  const isHidden = viewer.hidden?.has(row.id) === true;
  return { ...shown, profile_data: isHidden ? {} : (profiles.get(row.id) ?? {}) };
}

/** The wire forms of the system bots. */
export function systemBots(rows: readonly ListedRow[], host: string, viewer: Viewer) {
  return rows
    .filter((row) => row.is_system_bot)
    .map((row) => ({ ...toWireUser(row, host, { ...viewer, clientGravatar: false }), is_active: true }))
    .toSorted((a, b) => (a.full_name < b.full_name ? -1 : 1));
}
