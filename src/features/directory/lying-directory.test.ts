import { afterEach, describe, expect, it } from 'vitest';
import { Directory } from '#kernel/directory';
import { databases } from '../../../test/support/databases.ts';
import { signInFile } from '../../../test/support/identity-provider.ts';
import {
  afterBind,
  entryOf,
  type Lie,
  LyingDirectory,
  pageEndOf,
  pour,
  referenceOf,
  resultOf,
} from '../../../test/support/lying-directory.ts';
import { pause } from '../../../test/support/pause.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { followDirectory } from './index.ts';

const PASSWORD = 'roost-demo-password';
const AWAY = 'DIRECTORY_UNAVAILABLE';
const SEARCH = 0x63;

describe.each(databases)('a directory that lies, on %s', (database) => {
  let world: World;
  let directory: LyingDirectory;
  let lie: Lie = () => undefined;

  const open = async () => {
    directory = await LyingDirectory.open((...asked) => lie(...asked));
    const ldap = { url: directory.url, bind_dn: 'cn=roost', bind_password: 'secret', base: 'dc=roost' };
    world = await openWorld(database, { mode: 'production', environment: signInFile({ ldap: { '': ldap } }) });
  };
  afterEach(async () => {
    await world.close();
    directory.close();
  });
  const logIn = async (username = 'member@roost.test', password = 'any') =>
    (await world.spectator.request('POST', '/fetch_api_key', { username, password })).body;
  /** Lets time go by until all are answered; returns the answers and the seconds it took. */
  const untilAnswered = async (asked: readonly Promise<unknown>[]) => {
    const begun = world.clock.nowMs();
    let answers: readonly unknown[] | undefined;
    void Promise.all(asked).then((all) => (answers = all));
    for (let turn = 0; answers === undefined && turn < 1_000; turn++) {
      world.clock.advance(100);
      await pause(5);
    }
    return { answers, seconds: (world.clock.nowMs() - begun) / 1_000 };
  };
  /** Answers each request when the test says so. */
  const later = (): (() => void) => {
    const left: (() => void)[] = [];
    lie = (socket, id, tag) => void left.push(() => socket.write(resultOf(id, tag === 0x60 ? 0x61 : 0x65)));
    return () => {
      for (const answer of left.splice(0)) answer();
    };
  };

  it.each<[string, Lie]>([
    ['entries without an end', afterBind((socket, id) => pour(socket, entryOf(id, 'a'.repeat(600))))],
    ['references without an end', afterBind((socket, id) => pour(socket, referenceOf(id)))],
    ['results that nobody asked for', afterBind((socket) => pour(socket, resultOf(99, 0x65)))],
    ['half an entry', afterBind((socket, id) => void socket.end(entryOf(id, 'a').subarray(0, 20)))],
    ['nothing, and closes', (socket) => void socket.destroy()],
    ['the name of another server', afterBind((socket, id) => void socket.write(resultOf(id, 0x65, 10)))],
  ])('lets nobody in when it sends %s, and closes the connection', async (_what, told) => {
    lie = told;
    await open();
    expect(await logIn()).toMatchObject({ code: AWAY });
    expect(await logIn('owner@roost.test', PASSWORD)).toMatchObject({ user_id: world.olive.userId });
    await pause(20);
    expect(directory.open).toBe(0);
  });

  /** Follows it as `roost ldap sync` does. */
  const follow = (limits?: ConstructorParameters<typeof Directory>[2]) => {
    const { context } = world.server;
    const settings = context.identity.directories.get('')?.settings;
    if (!settings) throw new Error('there is no directory');
    const followed = new Directory(settings, world.clock, limits);
    return followDirectory(context, world.realm, followed, { isDryRun: false, endsAny: true });
  };
  const ENDLESS = { reason: 'invalid', code: 'a list without an end' };

  it('is no longer followed when its list of people has no end, and ends no account', async () => {
    await open();
    lie = afterBind((socket, id) => void socket.write(Buffer.concat([referenceOf(id), pageEndOf(id)])));
    await expect(follow()).rejects.toMatchObject(ENDLESS);
    let asked = 0;
    lie = afterBind((socket, id, tag) => {
      if (tag === SEARCH) socket.write(Buffer.concat([entryOf(id, `stranger${asked++}@roost.test`), pageEndOf(id)]));
    });
    await expect(follow({ pages: 200, emptyPages: 1, ms: 60_000 })).rejects.toMatchObject(ENDLESS);
    expect(asked).toBe(201);
    expect((await world.olive.get(`/users/${world.max.userId}`)).user.is_active).toBe(true);
    await pause(20);
    expect(directory.open).toBe(0);
  });

  it('has given no whole list when a page is empty and more would follow', async () => {
    await open();
    lie = afterBind((socket, id) => void socket.write(pageEndOf(id)));
    await expect(follow()).rejects.toMatchObject({ reason: 'invalid', code: 'an empty page' });
  });

  it('is no longer followed when it takes longer than a list may take', async () => {
    await open();
    lie = (socket, id, tag) => {
      const page = Buffer.concat([referenceOf(id), pageEndOf(id)]);
      world.clock.after(4_000, () => socket.write(tag === 0x60 ? resultOf(id, 0x61) : page));
    };
    const following = follow({ pages: 1_000, emptyPages: 1_000, ms: 60_000 }).catch((error: unknown) => error);
    const { answers, seconds } = await untilAnswered([following]);
    expect(answers).toMatchObject([{ reason: 'away', code: 'timeout' }]);
    expect(seconds).toBeLessThan(62);
  });

  it('ends a log-in after eight seconds in all, however slow each step is', async () => {
    await open();
    lie = (socket, id, tag) => {
      // Four seconds, by the clock of the server.
      world.clock.after(4_000, () => socket.write(resultOf(id, tag === 0x60 ? 0x61 : 0x65)));
    };
    const { answers, seconds } = await untilAnswered([logIn()]);
    expect(answers).toMatchObject([{ code: AWAY }]);
    // Three steps take twelve.
    expect(seconds).toBeLessThan(11);
  });

  it('lets hundreds wait in line for it, fifty at a time', async () => {
    await open();
    const answer = later();
    const asked = Promise.all(Array.from({ length: 120 }, () => logIn()));
    let answers: readonly unknown[] | undefined;
    void asked.then((all) => (answers = all));
    while (answers === undefined) {
      answer();
      await pause(10);
    }
    expect(directory.visits).toBe(120);
    // Some are closed only after the next has begun.
    expect(directory.most).toBeLessThan(100);
    for (const one of answers) expect(one).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  it('is asked by one for all while it does not answer, and by fifty again when it does', async () => {
    await open();
    lie = () => undefined;
    await untilAnswered([logIn()]);
    world.clock.advance(5_001);
    const before = directory.visits;
    const { answers } = await untilAnswered(Array.from({ length: 30 }, () => logIn()));
    expect(answers).toEqual(Array.from({ length: 30 }, () => expect.objectContaining({ code: AWAY })));
    expect(directory.visits - before).toBe(1);
    world.clock.advance(5_001);
    lie = (socket, id, tag) => void socket.write(resultOf(id, tag === 0x60 ? 0x61 : 0x65));
    for (const one of await Promise.all(Array.from({ length: 30 }, () => logIn())))
      expect(one).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  it('is asked again after five seconds, however the clock is set meanwhile', async () => {
    await open();
    lie = () => undefined;
    await untilAnswered([logIn()]);
    lie = (socket, id, tag) => void socket.write(resultOf(id, tag === 0x60 ? 0x61 : 0x65));
    world.clock.step(-3_600_000);
    world.clock.advance(5_001);
    expect(await logIn()).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  it('is asked again after five seconds, whoever keeps trying meanwhile', async () => {
    await open();
    lie = () => undefined;
    await untilAnswered([logIn()]);
    lie = (socket, id, tag) => void socket.write(resultOf(id, tag === 0x60 ? 0x61 : 0x65));
    const codes: unknown[] = [];
    for (let second = 0; second < 7; second++) {
      codes.push((await logIn())['code']);
      world.clock.advance(1_000);
    }
    expect(codes.slice(0, 4)).toEqual([AWAY, AWAY, AWAY, AWAY]);
    expect(codes.slice(5)).toEqual(['AUTHENTICATION_FAILED', 'AUTHENTICATION_FAILED']);
  });
});
