import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../test/support/client.ts';
import { databases } from '../../test/support/databases.ts';
import { HandClock, until } from '../../test/support/web.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { Upload, type UploadState } from './upload.ts';

const MIB = 1024 * 1024;

describe.each(databases)('a file on its way on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  /** What the network does with a request: its number, counted from 0 for each method. */
  type Weather = (method: string, number: number) => 'fine' | 'lost' | 'answerLost';

  function send(client: Client, file: File, weather: Weather = () => 'fine') {
    const clock = new HandClock();
    const states: UploadState[] = [];
    const done: string[] = [];
    const counts = new Map<string, number>();
    const upload = new Upload({
      file,
      clock,
      lost: 'It broke.',
      token: () => Promise.resolve(''),
      onChange: (state) => states.push(state),
      onDone: ({ url }) => done.push(url),
      fetch: async (url, { method = 'GET', headers = {}, body, signal }) => {
        const number = counts.get(method) ?? 0;
        counts.set(method, number + 1);
        const fate = weather(method, number);
        if (fate === 'lost') throw new TypeError('Failed to fetch');
        const payload = body instanceof Blob ? Buffer.from(await body.arrayBuffer()) : undefined;
        signal?.throwIfAborted();
        const response = await world.server.listener.inject({
          method: method as 'GET',
          url,
          headers: { ...(headers as Record<string, string>), authorization: client.authorization },
          ...(payload && { payload }),
        });
        if (fate === 'answerLost') throw new TypeError('Failed to fetch');
        const known = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
        const text = [204, 304].includes(response.statusCode) || method === 'HEAD' ? null : response.body;
        return new Response(text, { status: response.statusCode, headers: known });
      },
    });
    return { upload, states, done, counts, clock };
  }
  const fileOf = (size: number, name = 'nest.bin') => new File([Buffer.alloc(size, 7)], name);
  const kept = async (client: Client) =>
    (await client.get('/attachments')).attachments as readonly { name: string; size: number }[];

  it('comes whole in pieces, and says how far it is', async () => {
    const ada = await world.user();
    const { upload, states, done } = send(ada, fileOf(2.5 * MIB));
    await upload.run();
    expect(done[0]).toMatch(/^\/user_uploads\/.*nest\.bin$/);
    expect(await kept(ada)).toMatchObject([{ name: 'nest.bin', size: 2.5 * MIB }]);
    expect(states.map(({ percent }) => percent)).toEqual([0, 40, 80, 100]);
  });

  it('goes on where the server stopped after pieces and answers were lost', async () => {
    const ada = await world.user();
    const weather: Weather = (method, number) =>
      method === 'PATCH' && number === 1 ? 'lost' : method === 'PATCH' && number === 2 ? 'answerLost' : 'fine';
    const { upload, done, counts, clock } = send(ada, fileOf(3 * MIB), weather);
    const running = upload.run();
    await until(() => {
      clock.pass(60_000);
      return done.length > 0;
    });
    await running;
    expect(await kept(ada)).toMatchObject([{ size: 3 * MIB }]);
    expect(counts.get('HEAD')).toBe(2);
  });

  it('gives up after a while without a network, and goes on when it is asked to', async () => {
    const ada = await world.user();
    let isOffline = true;
    const { upload, states, done, clock } = send(ada, fileOf(MIB), () => (isOffline ? 'lost' : 'fine'));
    const running = upload.run();
    await until(() => {
      clock.pass(60_000);
      return states.at(-1)?.state === 'failed';
    });
    await running;
    expect(states.at(-1)).toMatchObject({ fault: 'It broke.' });
    isOffline = false;
    await upload.run();
    expect(done.length).toBe(1);
  });

  it('stops when it is paused, and is nothing when it is cancelled', async () => {
    const ada = await world.user();
    const { upload, states, done } = send(ada, fileOf(2 * MIB), (method, number) => {
      if (method === 'PATCH' && number === 1) upload.pause();
      return 'fine';
    });
    await upload.run();
    expect(states.at(-1)).toMatchObject({ state: 'paused', percent: 50 });
    await upload.cancel();
    expect(done).toEqual([]);
    expect(await kept(ada)).toEqual([]);
  });

  it('tells in the server’s words why it is refused', async () => {
    const ada = await world.user();
    const huge = fileOf(1);
    Object.defineProperty(huge, 'size', { value: 1e12 });
    const { upload, states } = send(ada, huge);
    await upload.run();
    expect(states.at(-1)?.state).toBe('failed');
    expect(states.at(-1)?.fault).toMatch(/larger|size|MiB/i);
  });
});
