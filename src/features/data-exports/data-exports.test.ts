import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SECONDS_PER_DAY } from '#kernel/clock';
import { tarEntries } from '../../commands/archives/tar.ts';
import { Visitor } from '../../../test/support/browser-client.ts';
import { type Body, Client } from '../../../test/support/client.ts';
import { databasesInTurn } from '../../../test/support/databases.ts';
import { inGerman } from '../../../test/support/language.ts';
import { openFileStore, places } from '../../../test/support/places.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { sweepExports } from './sweep.ts';

const PASSWORD = 'roost-demo-password';

/** Archives take long: on the build machine with files in a folder on one of the databases, as other long tests. */
const inTurn = databasesInTurn(import.meta.url);
const chosen = places.filter(({ database, files }) => files !== 'a folder' || inTurn.includes(database));

describe.each(chosen)('exports of an organization on $database with files in $files', (place) => {
  let world: World;
  let files: Awaited<ReturnType<typeof openFileStore>>;
  beforeAll(async () => {
    files = await openFileStore(place);
  });
  beforeEach(async () => {
    world = await openWorld(place.database, { environment: files.environment });
  });
  afterEach(async () => {
    const { files: store } = world.server.context;
    for (const key of await stored('')) await store.remove(key);
    await world.close();
  });
  afterAll(() => files.stop());

  const work = async () => {
    world.server.context.jobs.start(world.server.context);
    await world.server.context.jobs.idle();
  };
  const ask = async (fields: object = {}, who: Client = world.olive): Promise<number> =>
    (await who.post('/export/realm', { ...fields }))['id'];
  const shown = async (): Promise<Body[]> => (await world.olive.get('/export/realm'))['exports'];
  const stored = async (prefix = 'exports/') => {
    const keys: string[] = [];
    for await (const { key } of world.server.context.files.list(prefix)) keys.push(key);
    return keys;
  };
  const pathOf = (url: string) => new URL(url).pathname;

  /** The files of an archive, by their paths in its folder. */
  const opened = async (url: string, who: Client = world.olive) => {
    const { statusCode, rawPayload } = await who.fetch(pathOf(url));
    expect(statusCode).toBe(200);
    const found = new Map<string, string>();
    const bytes = (async function* () {
      yield gunzipSync(rawPayload);
    })();
    for await (const { path, content } of tarEntries(bytes)) {
      let text = '';
      for await (const piece of content) text += Buffer.from(piece).toString();
      found.set(path.slice(1).join('/'), text);
    }
    return found;
  };
  const live = async () => {
    const { max, mia, olive } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }] });
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'closed' }], invite_only: true });
    const [said, secret] = [
      await max.upload('said.txt', 'public bytes'),
      await max.upload('secret.txt', 'private bytes'),
    ];
    const send = (to: string, content: string) =>
      max.post('/messages', { type: 'channel', to, topic: 'nests', content });
    await send('open', `heard by all [said](${said.url})`);
    await send('closed', `behind a door [secret](${secret.url})`);
    await mia.post('/messages', { type: 'direct', to: [olive.userId], content: 'between us' });
    await max.patch('/settings', { allow_private_data_export: true });
  };

  it('are made in the background, told to administrators alone, and downloaded by them (protocol/organizations#exports)', async () => {
    const { olive, adam, mona } = world;
    await live();
    const [toOlive, toAdam, toMona] = await expectSync([olive, adam, mona], async () => {
      expect(await ask({}, adam)).toBeGreaterThan(0);
      await work();
    });
    const told = (events: readonly Body[] | undefined) => events?.filter(({ type }) => type === 'realm_export') ?? [];
    const pending = {
      id: expect.any(Number),
      acting_user_id: adam.userId,
      export_time: world.clock.now(),
      export_url: null,
      deleted_timestamp: null,
      failed_timestamp: null,
      pending: true,
      export_type: 'public',
    };
    const [done] = await shown();
    expect(done).toEqual({ ...pending, pending: false, export_url: expect.stringMatching(/^http.*\.tar\.gz$/) });
    expect(told(toOlive).map(({ exports }) => exports)).toEqual([[pending], [done]]);
    expect(told(toAdam)).toEqual(told(toOlive));
    expect(told(toMona)).toEqual([]);
    const { messages } = await adam.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      apply_markdown: false,
    });
    expect(messages[0]).toMatchObject({ sender_full_name: 'Notification Bot', type: 'private' });
    expect(messages[0].content).toContain(done?.['export_url']);
    const archive = await opened(done?.['export_url'], adam);
    expect([...archive.keys()]).toEqual(
      expect.arrayContaining(['realm.json', 'messages-000001.json', 'attachment.json', 'uploads/records.json']),
    );
    const text = [...archive.values()].join('\n');
    expect(text).toContain('heard by all');
    expect(text).toContain('public bytes');
    for (const secret of ['behind a door', 'private bytes', 'secret.txt', 'between us'])
      expect(text).not.toContain(secret);
  });

  it.each([2, '2', 'full_with_consent', '"full_with_consent"'])(
    'hold what is private to those who consent for the type %s',
    async (export_type) => {
      await live();
      await ask({ export_type });
      await work();
      const [done] = await shown();
      expect(done).toMatchObject({ export_type: 'full_with_consent', pending: false });
      const text = [...(await opened(done?.['export_url'])).values()].join('\n');
      expect(text).toContain('behind a door');
      expect(text).toContain('private bytes');
      expect(text).not.toContain('between us');
    },
  );

  it('are for administrators, and their archives look to others as if there were none', async () => {
    const { mona, max, gus, spectator, olive } = world;
    await ask();
    await work();
    const [done] = await shown();
    const path = pathOf(done?.['export_url']);
    for (const who of [mona, max, gus]) {
      for (const [method, at] of [
        ['GET', '/export/realm'],
        ['POST', '/export/realm'],
        ['DELETE', `/export/realm/${done?.['id']}`],
        ['GET', '/export/realm/consents'],
      ] as const)
        expect(await who.refused(method, at)).toMatchObject({ msg: 'Must be an organization administrator' });
      const [closed, none] = [await who.fetch(path), await who.fetch(path.replace(/\d+/, '999'))];
      expect([closed.statusCode, closed.body]).toEqual([404, none.body]);
    }
    expect((await spectator.request('GET', '/export/realm')).status).toBe(401);
    const anonymous = await spectator.fetch(path);
    expect([anonymous.statusCode, anonymous.headers['location']]).toEqual([
      302,
      `/login/?next=${encodeURIComponent(path)}`,
    ]);
    const whole = await olive.fetch(path);
    expect(whole.headers).toMatchObject({
      'content-type': 'application/gzip',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^attachment; filename="roost-export-\d+\.tar\.gz"/),
    });
    const part = await olive.fetch(path, { headers: { range: 'bytes=0-9' } });
    expect([part.statusCode, part.rawPayload]).toEqual([206, whole.rawPayload.subarray(0, 10)]);
    for (const other of ['x.tar.gz', '..%2f..%2fsecret', '%00'])
      expect([400, 404]).toContain((await olive.fetch(path.replace(/[^/]+$/, other))).statusCode);
    expect((await olive.fetch('/data_exports/x/roost-export-x.tar.gz')).statusCode).toBe(404);
  });

  it('are fetched by a session that was confirmed, and by no key of a device', async () => {
    const { olive, server, clock } = world;
    const visitor = new Visitor(server);
    await visitor.get('/login/');
    await visitor.post('/login/', { username: olive.email, password: PASSWORD });
    const { secret } = await olive.post('/users/me/api_keys', { name: 'phone' });
    await ask();
    await work();
    const [done] = await shown();
    const path = pathOf(done?.['export_url']);
    const device = new Client(server, { email: olive.email, user_id: olive.userId, api_key: secret });
    expect((await device.fetch(path)).statusCode).toBe(403);
    expect((await visitor.get(path)).status).toBe(200);
    clock.advance(16 * 60_000);
    const next = encodeURIComponent(path);
    expect(await visitor.get(path)).toMatchObject({ status: 303, location: `/accounts/confirm/?next=${next}` });
    const confirmed = await visitor.post('/accounts/confirm/', { password: PASSWORD, next: path });
    expect([confirmed.location, (await visitor.get(path)).status]).toEqual([path, 200]);
    expect((await olive.fetch(path)).statusCode).toBe(200);
  });

  it('are deleted with their bytes, once, and not while they are made or where they failed', async () => {
    const { olive, adam } = world;
    const refused = async (id: number | string) => (await olive.refused('DELETE', `/export/realm/${id}`)).msg;
    const id = await ask();
    expect(await refused(id)).toBe('Export still in progress');
    expect(await refused(999)).toBe('Invalid data export ID');
    await work();
    const [{ export_url } = {}] = await shown();
    expect(await stored()).toHaveLength(1);
    const [toAdam] = await expectSync([adam], async () => {
      const both = await Promise.all([0, 1].map(() => olive.request('DELETE', `/export/realm/${id}`)));
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    });
    const gone = { id, pending: false, export_url: null, deleted_timestamp: world.clock.now() };
    expect(toAdam).toMatchObject([{ type: 'realm_export', exports: [gone] }]);
    await work();
    expect(await stored()).toEqual([]);
    expect((await olive.fetch(pathOf(export_url))).statusCode).toBe(404);
    expect(await refused(id)).toBe('Export already deleted');
  });

  it('are five in seven days for all administrators together, however many at once', async () => {
    const { olive, adam, clock } = world;
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => (index % 2 ? olive : adam).request('POST', '/export/realm')),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(await olive.refused('POST', '/export/realm')).toMatchObject({
      msg: 'Exceeded rate limit.',
      code: 'BAD_REQUEST',
    });
    await work();
    const made = await shown();
    expect(made.map(({ pending }) => pending)).toEqual([false, false, false, false, false]);
    expect(new Set(made.map(({ export_url }) => export_url)).size).toBe(5);
    clock.advance((7 * SECONDS_PER_DAY - 1) * 1000);
    expect((await olive.refused('POST', '/export/realm')).msg).toBe('Exceeded rate limit.');
    clock.advance(2000);
    await ask();
  });

  it('are refused for what is no type, for private data without consent, and where there is too much', async () => {
    const refused = async (fields: object) => (await world.olive.refused('POST', '/export/realm', { ...fields })).msg;
    for (const export_type of [3, 0, 'all', '[]', 'null and void'])
      expect(await refused({ export_type })).toMatch(/^Invalid export_type/);
    expect(await refused({ export_type: 'full_without_consent' })).toBe(
      'Private data can be exported only of people who consent.',
    );
    await world.max.upload('a');
    const { store } = world.server.context;
    await store.write((tx) =>
      tx.db
        .updateTable('upload_usage')
        .set({ used_bytes: 20 * 2 ** 30 + 1 })
        .execute(),
    );
    expect(await refused({})).toBe('Please request a manual export from the operator of this server.');
    expect(await shown()).toEqual([]);
  });

  it('fail after three tries, say so, and leave nothing behind', async () => {
    const { context } = world.server;
    const id = await ask();
    const { files: real } = context;
    Object.assign(context, {
      files: {
        ...real,
        put: () => Promise.reject(new Error('the disk is full')),
        remove: (key: string) => real.remove(key),
      },
    });
    const silenced = process.stderr.write.bind(process.stderr);
    process.stderr.write = () => true;
    for (let attempt = 0; attempt < 4; attempt++) {
      await work();
      world.clock.advance(60_000);
    }
    process.stderr.write = silenced;
    await work();
    expect(await shown()).toMatchObject([
      { id, pending: false, export_url: null, failed_timestamp: expect.any(Number) },
    ]);
    expect((await world.olive.refused('DELETE', `/export/realm/${id}`)).msg).toBe('Export failed, nothing to delete');
    const { messages } = await world.olive.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(messages[0].content).toContain('has failed');
    Object.assign(context, { files: real });
    expect(await stored()).toEqual([]);
  });

  it('are announced to the person in the language of the organization', async () => {
    await inGerman(world, async () => {
      await ask();
      await work();
    });
    const page = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
    expect((await world.olive.get('/messages', page))['messages'][0].content).toMatch(
      /^Der Export der Daten dieser Organisation, den du gestartet hast, ist fertig: \[herunterladen\]\(http.*\.tar\.gz\)\.$/,
    );
  });

  it('leave no bytes that no export names, and take none that one does', async () => {
    const { context } = world.server;
    await ask();
    await work();
    const kept = await stored();
    await context.files.put('exports/1/99/left.tar.gz', Buffer.from('left by a process that was killed'));
    await sweepExports(context);
    expect(await stored()).toHaveLength(2);
    world.clock.advance(Date.now() - world.clock.nowMs() + 2 * SECONDS_PER_DAY * 1000);
    await sweepExports(context);
    expect(await stored()).toEqual(kept);
  });

  it('name who consents, of people who are active (protocol/organizations#exports)', async () => {
    const { max, mia, olive, gus } = world;
    await max.patch('/settings', { allow_private_data_export: true, email_address_visibility: 5 });
    await max.post('/bots', { full_name: 'Beep', short_name: 'beep' });
    await olive.delete(`/users/${gus.userId}`);
    const { export_consents } = await olive.get('/export/realm/consents');
    expect(export_consents).toHaveLength(5);
    expect(export_consents).toEqual(
      expect.arrayContaining([
        { user_id: max.userId, consented: true, email_address_visibility: 5 },
        { user_id: mia.userId, consented: false, email_address_visibility: 1 },
      ]),
    );
  });
});
