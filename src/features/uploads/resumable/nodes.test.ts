import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { FaultyStore } from '../../../../test/support/faulty-store.ts';
import { pause } from '../../../../test/support/pause.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import type { Server } from '../../../server.ts';

const MIB = 1024 * 1024;
/** Some of its pieces are cut by the server, some by who sends. */
const BYTES = randomBytes(7 * MIB + 5);
const OCTETS = 'application/offset+octet-stream';

describe.each(databases.filter((name) => name === 'postgres'))(
  'resumable uploads at two processes on %s',
  (database) => {
    const store = new FaultyStore();
    let world: World;
    let here: string;
    let there: string;
    beforeAll(async () => {
      world = await openWorld(database, { environment: { ROOST_UPLOADS_URL: await store.open() } });
      const listen = async ({ listener }: Server) => `http://127.0.0.1:${await listener.listen(0, '127.0.0.1')}`;
      here = await listen(world.server);
      there = await listen(await world.anotherServer());
    });
    afterAll(async () => {
      await world.close();
      await store.close();
    });

    const headersOf = ({ authorization }: Client) => ({ authorization, 'tus-resumable': '1.0.0' });
    const tus = (method: string, url: string, more: Record<string, string> = {}, body?: Buffer) =>
      fetch(url, { method, headers: { ...headersOf(world.max), ...more }, ...(body && { body }) });
    const begin = async () => {
      const headers = { 'upload-length': String(BYTES.length), 'upload-metadata': 'filename bmVzdA==' };
      const { status, headers: told } = await tus('POST', `${here}/api/v1/tus/`, headers);
      expect(status).toBe(201);
      return told.get('location') ?? '';
    };
    const patch = (base: string, path: string, from: number, to: number) =>
      tus('PATCH', base + path, { 'content-type': OCTETS, 'upload-offset': String(from) }, BYTES.subarray(from, to));
    const offsetAt = async (base: string, path: string) =>
      Number((await tus('HEAD', base + path)).headers.get('upload-offset'));
    const pieces = () => [...store.objects.keys()].filter((key) => key.includes('/unfinished/'));
    const named = async () => (await world.max.get('/attachments'))['attachments'] as { path_id: string }[];

    it('go on at either of them, and are whole', async () => {
      const path = await begin();
      expect((await patch(here, path, 0, 5 * MIB)).status).toBe(204);
      expect(await offsetAt(there, path)).toBe(5 * MIB);
      expect((await patch(there, path, 5 * MIB, 6 * MIB)).status).toBe(204);
      const last = await patch(here, path, 6 * MIB, BYTES.length);
      expect(last.status).toBe(200);
      const { url } = (await last.json()) as { url: string };
      const file = await fetch(there + url, { headers: { authorization: world.max.authorization } });
      const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
      expect(digest(Buffer.from(await file.arrayBuffer()))).toBe(digest(BYTES));
      expect(pieces()).toEqual([]);
    });

    it('take the bytes of one where both are sent the same, and of a sender that waits', async () => {
      const path = await begin();
      const headers = { ...headersOf(world.max), 'content-type': OCTETS, 'upload-offset': '0' };
      const late = request(here + path, { method: 'PATCH', headers: { ...headers, 'content-length': String(MIB) } });
      const refused = new Promise<number | undefined>((resolve) => {
        late.on('response', (response) => resolve(response.resume().statusCode));
      });
      late.write(BYTES.subarray(0, 1000));
      await pause(50);
      const replies = await Promise.all([patch(there, path, 0, MIB), patch(there, path, 0, MIB)]);
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409]);
      late.end(BYTES.subarray(1000, MIB));
      expect(await refused).toBe(409);
      expect(await offsetAt(here, path)).toBe(MIB);
      expect(pieces()).toHaveLength(1);
      expect((await tus('DELETE', there + path)).status).toBe(204);
      expect(pieces()).toEqual([]);
      expect((await patch(here, path, MIB, 2 * MIB)).status).toBe(404);
    });

    it('become one file where both finish them', async () => {
      const path = await begin();
      const before = await named();
      await patch(here, path, 0, 5 * MIB);
      // As if the last byte had been stored and nothing after it.
      await world.server.context.store.write((tx) =>
        tx.db
          .updateTable('unfinished_upload')
          .set({ size: 5 * MIB })
          .execute(),
      );
      const offsets = await Promise.all([here, there, here, there].map((base) => offsetAt(base, path)));
      expect(offsets).toEqual(Array.from({ length: 4 }, () => 5 * MIB));
      expect(await named()).toHaveLength(before.length + 1);
      expect(pieces()).toEqual([]);
    });
  },
);
