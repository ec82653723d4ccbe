import type { Context } from '#kernel/context';
import type { PageResponse } from '#kernel/endpoint';
import { bool, int, lenientObject, list, maybe, readAs, str } from '#kernel/schema';
import { parseJson } from '#kernel/text';
import { digest } from './accounts.ts';
import { findRealms, putRealms, setServer } from './queries.ts';
import { accept, badRequest, Refused } from './reading.ts';
import { assertRoomForRealms } from './room.ts';
import type { GatewayServer } from './tables.ts';

/** Most organizations, and most rows of statistics, of one report. */
const MAX_REALMS = 5_000;
const MAX_ROWS = 10_000;
/** Most characters of an organization's UUID that are kept. */
const MAX_UUID = 40;

/** Tells a server how far it has reported. docs/push-gateway.md, "Reporting". */
export function reportStatus(server: GatewayServer): PageResponse {
  const { last_realm_count_id, last_installation_count_id, last_realmauditlog_id } = server;
  return accept({ last_realm_count_id, last_installation_count_id, last_realmauditlog_id });
}

const numbered = list(lenientObject({ id: int() }), { max: MAX_ROWS });
const described = list(
  lenientObject({ uuid: str(), uuid_owner_secret: str(), host: str(), name: maybe(str()), deactivated: bool() }),
  { max: MAX_REALMS },
);

/** Stores the organizations of a server's report. Its statistics are not stored, because this gateway bills nobody. */
export async function takeReport(
  context: Context,
  server: GatewayServer,
  form: ReadonlyMap<string, string>,
): Promise<PageResponse> {
  const realms = readAs(described, parseJson(form.get('realms') ?? '[]'));
  const rows = {
    last_realm_count_id: readAs(numbered, parseJson(form.get('realm_counts') ?? '[]')),
    last_installation_count_id: readAs(numbered, parseJson(form.get('installation_counts') ?? '[]')),
    last_realmauditlog_id: readAs(numbered, parseJson(form.get('realmauditlog_rows') ?? '[]')),
  };
  if (!realms) throw badRequest('realms is not valid');
  const ends = {
    last_realm_count_id: endOf('realm_counts', server.last_realm_count_id, rows.last_realm_count_id),
    last_installation_count_id: endOf(
      'installation_counts',
      server.last_installation_count_id,
      rows.last_installation_count_id,
    ),
    last_realmauditlog_id: endOf('realmauditlog_rows', server.last_realmauditlog_id, rows.last_realmauditlog_id),
  };
  const wanted = realms.map(({ uuid, uuid_owner_secret, host, name = '', deactivated }) => ({
    uuid: uuid.slice(0, MAX_UUID),
    server_id: server.id,
    owner_hash: digest(uuid_owner_secret),
    host: host.slice(0, 300),
    name: name.slice(0, 300),
    is_deactivated: deactivated,
  }));
  const uuids = wanted.map(({ uuid }) => uuid);
  if (new Set(uuids).size < uuids.length) throw duplicate();
  const stored = await context.store.query((tx) => findRealms(tx, uuids));
  const own = stored.filter(({ server_id }) => server_id === server.id);
  await assertRoomForRealms(context, server, uuids.length - own.length);
  await context.store.write(async (tx) => {
    const known = await findRealms(tx, uuids);
    const owners = new Map(known.map(({ uuid, owner_hash }) => [uuid, owner_hash]));
    // An organization may move to another server; its secret proves that it is the same.
    if (wanted.some(({ uuid, owner_hash }) => (owners.get(uuid) ?? owner_hash) !== owner_hash)) throw duplicate();
    await putRealms(tx, wanted);
    await setServer(tx, server.id, { ...ends, seen_at: tx.now });
  });
  const said = realms.map(({ uuid, deactivated }): [string, object] => [
    uuid,
    { can_push: !deactivated, expected_end_timestamp: null },
  ]);
  return accept({ realms: Object.fromEntries(said) });
}

const duplicate = () => new Refused(400, 'BAD_REQUEST', 'Duplicate registration detected.');

/** The last row of a report, which continues the one before. */
function endOf(name: string, before: number, read: readonly { readonly id: number }[] | undefined): number {
  if (!read) throw badRequest(`${name} is not valid`);
  const ids = [before, ...read.map(({ id }) => id)];
  if (ids.some((id, index) => index > 0 && id <= (ids[index - 1] ?? 0))) throw badRequest('Data is out of order.');
  return ids.at(-1) ?? before;
}
