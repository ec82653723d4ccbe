import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setRealmSettings } from '#features/realms';
import { asId } from '#kernel/ids';
import type { Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { sweepFiles } from '../sweep.ts';
import { insertPiece, insertUnfinished, readUnfinished } from '../partial/index.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const TOO_MANY = 'You have too many unfinished uploads. Finish or cancel some first.';

describe.each(databases)('unfinished resumable uploads on %s (protocol/files#tus)', (database) => {
  let world: World;
  let base: string;
  beforeEach(async () => {
    world = await openWorld(database, { environment: { ROOST_MAX_UPLOAD_MIB: '1' } });
    base = `http://127.0.0.1:${await world.server.listener.listen(0, '127.0.0.1')}`;
  });
  afterEach(() => world.close());

  const tus = (who: Client, method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) =>
    fetch(new URL(path, base), {
      method,
      headers: { Authorization: who.authorization, 'Tus-Resumable': '1.0.0', ...headers },
      ...(body && { body }),
    });
  const begin = (who: Client, bytes: number) => tus(who, 'POST', '/api/v1/tus/', { 'Upload-Length': String(bytes) });
  const beginSeveral = async (who: Client, count: number, bytes: number): Promise<string> => {
    let last = '';
    for (let index = 0; index < count; index++) {
      const reply = await begin(who, bytes);
      expect(reply.status).toBe(201);
      last = reply.headers.get('location') ?? '';
    }
    return last;
  };
  const refused = async (reply: Response) => [reply.status, await reply.json()];
  const pathOf = (url: string) => url.slice(url.indexOf('/tus/') + 5);
  const reserved = () => world.server.context.store.query((tx) => readUnfinished(tx, {}));
  const pieces = async () => {
    const keys: string[] = [];
    for await (const { key } of world.server.context.files.list('unfinished/')) keys.push(key);
    return keys;
  };

  it('are at most fifty of a person, whose place is free again when one is finished or given up', async () => {
    const { max, mia } = world;
    const last = await beginSeveral(max, 50, 3);
    expect(await refused(await begin(max, 3))).toEqual([429, { message: TOO_MANY }]);
    expect((await begin(mia, 3)).status).toBe(201);
    expect((await tus(max, 'DELETE', last)).status).toBe(204);
    const next = await beginSeveral(max, 1, 3);
    expect((await begin(max, 3)).status).toBe(429);
    const octets = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' };
    expect((await tus(max, 'PATCH', next, octets, Buffer.from('abc'))).status).toBe(200);
    await beginSeveral(max, 1, 3);
    expect(await reserved()).toEqual({ count: 51, bytes: 153 });
  });

  it('take at most five files of the largest size of a person, also when they begin at once', async () => {
    const { max, mia } = world;
    const replies = await Promise.all(Array.from({ length: 12 }, () => begin(max, MIB)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(7);
    expect((await begin(max, 1)).status).toBe(429);
    expect((await begin(mia, MIB)).status).toBe(201);
    expect(await reserved()).toEqual({ count: 6, bytes: 6 * MIB });
  });

  it('reserve what they will take of the quota', async () => {
    const { max, mia, realm, server } = world;
    await server.context.store.in(realm).write((tx) => setRealmSettings(tx, { upload_quota_mib: 1 }));
    const url = await beginSeveral(max, 1, 700_000);
    const message = "Upload would exceed your organization's upload quota.";
    expect(await refused(await begin(mia, 700_000))).toEqual([413, { message }]);
    const content = Buffer.alloc(700_000);
    expect(await mia.send('POST', '/user_uploads', [{ name: 'a', content }])).toMatchObject({ body: { msg: message } });
    const octets = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' };
    expect((await tus(max, 'PATCH', url, octets, content)).status).toBe(200);
    expect(await reserved()).toEqual({ count: 0, bytes: 0 });
    expect((await max.get('/attachments'))['upload_space_used']).toBe(700_000);
  });

  it.each([
    ['2,000', 2000, 1],
    ['fifty files of the largest size', 50, MIB],
  ])('are on the whole server at most %s', async (_what, count, size) => {
    const { store } = world.server.context;
    await store.write(async (tx) => {
      for (let index = 0; index < count; index++)
        await insertUnfinished(tx, {
          path_id: `x${index}`,
          realm_id: asId(999),
          owner_id: asId(index),
          size,
          metadata: {},
        });
    });
    const message = 'The server has no room for more unfinished uploads right now. Try again later.';
    expect(await refused(await begin(world.max, 1))).toEqual([503, { message }]);
    expect((await reserved()).count).toBe(count);
  });

  it('end after a day, with their bytes and their place', async () => {
    const { max, clock, server } = world;
    const url = await beginSeveral(max, 50, MIB / 16);
    const octets = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' };
    await tus(max, 'PATCH', url, octets, Buffer.alloc(1000));
    expect(await pieces()).toHaveLength(1);
    clock.advance(23 * HOUR_MS);
    await sweepFiles(server.context);
    expect(await pieces()).toHaveLength(1);
    clock.advance(2 * HOUR_MS);
    await sweepFiles(server.context);
    expect(await pieces()).toEqual([]);
    expect((await tus(max, 'HEAD', url)).status).toBe(404);
    expect(await reserved()).toEqual({ count: 0, bytes: 0 });
    expect((await begin(max, 1)).status).toBe(201);
  });

  it('leave no piece whose process died before it wrote the row', async () => {
    const { clock, server } = world;
    await server.context.files.put('unfinished/1/4e/token/name/piece', Buffer.from('x'));
    await sweepFiles(server.context);
    expect(await pieces()).toHaveLength(1);
    clock.advance(27 * 24 * HOUR_MS);
    await sweepFiles(server.context);
    expect(await pieces()).toEqual([]);
  });

  it('consist of so many pieces at most', async () => {
    const { max, realm, server } = world;
    const url = await beginSeveral(max, 1, 2000);
    const octets = { 'Content-Type': 'application/offset+octet-stream' };
    await server.context.store.write(async (tx) => {
      for (let first_byte = 0; first_byte < 1001; first_byte++)
        await insertPiece(tx, {
          path_id: pathOf(url),
          realm_id: realm.id,
          first_byte,
          size: 1,
          token: `t${first_byte}`,
        });
    });
    const next = { ...octets, 'Upload-Offset': '1001' };
    const message = 'The upload has too many pieces. Begin it again.';
    expect(await refused(await tus(max, 'PATCH', url, next, Buffer.alloc(1)))).toEqual([400, { message }]);
    expect(await pieces()).toEqual([]);
  });
});
