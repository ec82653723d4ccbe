import type { ReadTx, WriteTx } from '#kernel/store';
import type { GatewayDevice, GatewayServer, GatewayServerId, PushProvider } from './tables.ts';

/** Most phones of a person that are deleted at once, because there are too many. */
const MAX_DELETED = 10_000;

export function findServer(tx: ReadTx, uuid: string): Promise<GatewayServer | undefined> {
  return tx.db.selectFrom('gateway_server').selectAll().where('uuid', '=', uuid).executeTakeFirst();
}

export function findServerByHost(tx: ReadTx, hostname: string): Promise<GatewayServer | undefined> {
  return tx.db.selectFrom('gateway_server').selectAll().where('hostname', '=', hostname).executeTakeFirst();
}

export function listServers(tx: ReadTx): Promise<readonly GatewayServer[]> {
  return tx.db.selectFrom('gateway_server').selectAll().orderBy('id').execute();
}

/** Stores a server; returns false if another request was first. */
export async function insertServer(tx: WriteTx, row: Omit<GatewayServer, 'id'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('gateway_server')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function setServer(
  tx: WriteTx,
  id: GatewayServerId,
  changes: Partial<Omit<GatewayServer, 'id' | 'uuid'>>,
): Promise<void> {
  await tx.db.updateTable('gateway_server').set(changes).where('id', '=', id).execute();
}

/** An organization as a server described it. */
export interface RealmRow {
  readonly uuid: string;
  readonly server_id: GatewayServerId;
  readonly owner_hash: string;
  readonly host: string;
  readonly name: string;
  readonly is_deactivated: boolean;
}

export function findRealm(tx: ReadTx, uuid: string): Promise<RealmRow | undefined> {
  return tx.db.selectFrom('gateway_realm').selectAll().where('uuid', '=', uuid).executeTakeFirst();
}

export function findRealms(tx: ReadTx, uuids: readonly string[]): Promise<readonly RealmRow[]> {
  return tx.db.selectFrom('gateway_realm').selectAll().where(tx.dialect.anyOfText('uuid', uuids)).execute();
}

/** Stores new organizations, or updates known ones. */
export async function putRealms(tx: WriteTx, rows: readonly RealmRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.db
    .insertInto('gateway_realm')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.column('uuid').doUpdateSet((row) => ({
        server_id: row.ref('excluded.server_id'),
        owner_hash: row.ref('excluded.owner_hash'),
        host: row.ref('excluded.host'),
        name: row.ref('excluded.name'),
        is_deactivated: row.ref('excluded.is_deactivated'),
      })),
    )
    .execute();
}

/** Stores a phone; idempotent. */
export async function insertDevice(tx: WriteTx, row: Omit<GatewayDevice, 'id'>): Promise<void> {
  await tx.db
    .insertInto('gateway_device')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether a phone is stored. */
export async function hasDevice(tx: ReadTx, row: Omit<GatewayDevice, 'id'>): Promise<boolean> {
  const found = await tx.db
    .selectFrom('gateway_device')
    .select('id')
    .where('server_id', '=', row.server_id)
    .where('realm_uuid', '=', row.realm_uuid)
    .where('owner', '=', row.owner)
    .where('kind', '=', row.kind)
    .where('token_id', '=', row.token_id)
    .executeTakeFirst();
  return found !== undefined;
}

/** Counts the phones of a server, up to a limit. */
export async function countDevices(tx: ReadTx, serverId: GatewayServerId, limit: number): Promise<number> {
  const some = tx.db.selectFrom('gateway_device').select('server_id').where('server_id', '=', serverId).limit(limit);
  const counted = tx.db.selectFrom(some.as('some')).select(({ fn }) => fn.countAll().as('count'));
  return Number((await counted.executeTakeFirstOrThrow()).count);
}

/** Counts the organizations of a server, up to a limit. */
export async function countRealms(tx: ReadTx, serverId: GatewayServerId, limit: number): Promise<number> {
  const some = tx.db.selectFrom('gateway_realm').select('server_id').where('server_id', '=', serverId).limit(limit);
  const counted = tx.db.selectFrom(some.as('some')).select(({ fn }) => fn.countAll().as('count'));
  return Number((await counted.executeTakeFirstOrThrow()).count);
}

/** Lists phones with newer apps by their token IDs. */
export function listByTokenIds(
  tx: ReadTx,
  serverId: GatewayServerId,
  realmUuid: string,
  tokenIds: readonly string[],
): Promise<readonly GatewayDevice[]> {
  return tx.db
    .selectFrom('gateway_device')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('realm_uuid', '=', realmUuid)
    .where(tx.dialect.anyOfText('token_id', tokenIds))
    .execute();
}

/** Lists the phones with older apps of a person, whose registrations have a UUID or a number. */
export function listByOwners(
  tx: ReadTx,
  serverId: GatewayServerId,
  owners: readonly string[],
): Promise<readonly GatewayDevice[]> {
  return tx.db
    .selectFrom('gateway_device')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('realm_uuid', '=', '')
    .where(tx.dialect.anyOfText('owner', owners))
    .orderBy('id')
    .execute();
}

/** Deletes the oldest phones with older apps of a person until `kept` are left. */
export async function deleteOldest(
  tx: WriteTx,
  { server_id, owner }: Pick<GatewayDevice, 'server_id' | 'owner'>,
  kept: number,
): Promise<void> {
  const further = tx.db
    .selectFrom('gateway_device')
    .select('id')
    .where('server_id', '=', server_id)
    .where('realm_uuid', '=', '')
    .where('owner', '=', owner)
    .orderBy('id', 'desc')
    .limit(MAX_DELETED)
    .offset(kept);
  await tx.db.deleteFrom('gateway_device').where('id', 'in', further).execute();
}

/** Deletes all phones with older apps of a person, or one of them, and returns how many there were. */
export async function deleteOwned(
  tx: WriteTx,
  serverId: GatewayServerId,
  owners: readonly string[],
  one?: { readonly kind: PushProvider; readonly tokenId: string },
): Promise<number> {
  const all = tx.db
    .deleteFrom('gateway_device')
    .where('server_id', '=', serverId)
    .where('realm_uuid', '=', '')
    .where(tx.dialect.anyOfText('owner', owners));
  const { numDeletedRows } = await (one
    ? all.where('kind', '=', one.kind).where('token_id', '=', one.tokenId)
    : all
  ).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes phones with an app whose tokens are no longer in use, for all servers. */
export async function deleteTokens(
  tx: WriteTx,
  { kind, app_id }: Pick<GatewayDevice, 'kind' | 'app_id'>,
  gone: readonly Pick<GatewayDevice, 'token_id' | 'token'>[],
): Promise<void> {
  const [ids, tokens] = [gone.map(({ token_id }) => token_id), gone.map(({ token }) => token)];
  await tx.db
    .deleteFrom('gateway_device')
    .where('kind', '=', kind)
    .where('app_id', app_id === null ? 'is' : '=', app_id)
    // Tokens are too long for an index.
    .where(tx.dialect.anyOfText('token_id', ids))
    .where(tx.dialect.anyOfText('token', tokens))
    .execute();
}
