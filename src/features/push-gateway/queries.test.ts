import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asId } from '#kernel/ids';
import { sql, type WriteTx } from '#kernel/store';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { deleteTokens, listByTokenIds } from './queries.ts';
import type { GatewayServerId } from './tables.ts';

const PHONES = 10_000;
const server_id = asId<GatewayServerId>(1);

describe.each(databases)('phones of a push gateway on %s', (database) => {
  let world: World;
  /** Returns the plan of the statement that a function would execute. */
  const planOf = (run: (tx: WriteTx) => Promise<unknown>) =>
    world.server.context.store.query(async (reading) => {
      // Nothing is written, as the statement is only explained.
      const tx = reading as unknown as WriteTx;
      const options = database === 'sqlite' ? sql`query plan`.toOperationNode() : undefined;
      const rows: object[] = [];
      const db = tx.db.withPlugin({
        transformQuery: ({ node }) => ({ ...node, explain: { kind: 'ExplainNode', ...(options && { options }) } }),
        transformResult: ({ result }) => {
          rows.push(...result.rows);
          return Promise.resolve(result);
        },
      });
      await run({ ...tx, db });
      return JSON.stringify(rows);
    });

  beforeAll(async () => {
    world = await openWorld(database);
    const phone = { server_id, realm_uuid: 'r', owner: '', kind: 'fcm' as const, app_id: null };
    await world.server.context.store.write(async (tx) => {
      for (let at = 0; at < PHONES; at += 1_000) {
        const names = Array.from({ length: 1_000 }, (_, index) => String(at + index));
        await tx.db
          .insertInto('gateway_device')
          .values(names.map((name) => ({ ...phone, token_id: name, token: name })))
          .execute();
      }
      if (database === 'postgres') await sql`analyze gateway_device`.execute(tx.db);
    });
  });
  afterAll(() => world.close());

  it('are found by their tokens when these are gone, not among those of all servers', async () => {
    const one = { kind: 'fcm' as const, app_id: null };
    const plan = await planOf((tx) => deleteTokens(tx, one, [{ token_id: '5', token: '5' }]));
    expect(plan).toMatch(/token_id\s*=/);
    expect(plan).toMatch(/index/i);
    expect(plan).not.toMatch(/\bscan (?:on )?gateway_device|Seq Scan/i);
  });

  it('are found by their tokens for a notification, not among those of the organization', async () => {
    const plan = await planOf((tx) => listByTokenIds(tx, server_id, 'r', ['5', '6']));
    expect(plan).toContain('gateway_device_token_id_server_id_realm_uuid');
  });
});
