import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, demoAccount, refusedCommand, runCommand, type ServerProcess, startProcess } from '../support/process.ts';

const WRITERS = 4;
/** Messages acknowledged before the backup begins. */
const MESSAGES = 80;

describe.each(databasesInTurn(import.meta.url))('a backup made while people write, on %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess;
  let folder: string;
  /** Where the backup is, and the data folder it is restored to. */
  let place: { readonly backup: string; readonly dataDir: string };
  beforeEach(async () => {
    database = await makeDatabase(name);
    folder = mkdtempSync(join(tmpdir(), 'roost-backup-'));
    place = { backup: join(folder, 'backup'), dataDir: join(folder, 'data') };
    server = await startProcess(database, 0);
  });
  afterEach(async () => {
    await server.kill('SIGTERM');
    rmSync(folder, { recursive: true });
    await database.remove();
  });

  const restored = () => ({ dataDir: place.dataDir, databaseUrl: database.databaseUrl });

  it('holds all that was acknowledged before it began; people log in, open files and start anew', async () => {
    const max = await demoAccount(server, 'member@roost.test');
    const queue = await call(server, max, 'POST', '/register', { event_types: ['message'] });
    const file = await upload(server, max, 'three nests');
    const acknowledged = new Map<number, string>();
    let isOver = false;
    let enough = () => {};
    const isEnough = new Promise<void>((resolve) => (enough = resolve));
    const writer = async (number: number) => {
      for (let i = 0; !isOver; i++) {
        const content = `writer ${number} message ${i}`;
        const reply = await call(server, max, 'POST', '/messages', { type: 'direct', to: [max.user_id], content });
        acknowledged.set(reply['id'], content);
        if (acknowledged.size === MESSAGES) enough();
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, number) => writer(number));
    await isEnough;
    const before = new Map(acknowledged);
    const said = await runCommand(database, ['backup', place.backup]);
    isOver = true;
    await Promise.all(writers);
    await server.kill('SIGKILL');
    expect(acknowledged.size).toBeGreaterThan(before.size);
    expect(said).toContain(name === 'sqlite' ? 'database  copied as of one moment' : 'database  NOT in this backup');
    expect(existsSync(join(place.backup, 'roost.sqlite3'))).toBe(name === 'sqlite');

    expect(await runCommand(restored(), ['restore', place.backup])).toMatch(
      /^database {2}is whole and of this release$/m,
    );
    server = await startProcess({ ...database, dataDir: place.dataDir }, 0);
    const login = { username: 'member@roost.test', password: 'roost-demo-password' };
    const nobody = { email: '', api_key: '' };
    expect(await call(server, nobody, 'POST', '/fetch_api_key', login)).toMatchObject({ api_key: max.api_key });
    const { messages } = await call(server, max, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 5000,
      num_after: 0,
      apply_markdown: false,
    });
    const stored = new Map(messages.map((message: { id: number; content: string }) => [message.id, message.content]));
    for (const [id, content] of before) expect(stored.get(id)).toBe(content);
    expect(await download(server, max, file)).toBe('three nests');
    const poll = { queue_id: queue['queue_id'], last_event_id: queue['last_event_id'], dont_block: true };
    expect(await call(server, max, 'GET', '/events', poll)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  });

  it('is refused where something is, by an older release, and when it is not whole', async () => {
    await runCommand(database, ['backup', place.backup]);
    await server.kill('SIGTERM');
    const restore = () => refusedCommand(restored(), ['restore', place.backup]);
    expect((await refusedCommand(database, ['backup', place.backup])).said).toMatch(/ is not empty: give each backup/);
    expect(await refusedCommand(database, ['restore', place.backup])).toEqual({
      code: 1,
      said: `${database.dataDir} is not empty: a backup goes into an empty data folder\n`,
    });
    const manifest = join(place.backup, 'backup.json');
    const whole = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, whole.replace('"migrations": [', '"migrations": [\n    "2036-11-21T0000-later",'));
    expect((await restore()).said).toMatch(
      /^the backup was made by a newer release of Roost \(.*: 2036-11-21T0000-later\)/,
    );
    const other = name === 'sqlite' ? 'postgres' : 'sqlite';
    writeFileSync(manifest, whole.replace(`"database": "${name}"`, `"database": "${other}"`));
    expect((await restore()).said).toMatch(/ROOST_DATABASE_URL/);
    expect(await refusedCommand(database, ['backup', manifest])).toEqual({
      code: 1,
      said: `EEXIST: file already exists, mkdir '${manifest}'\n`,
    });
    writeFileSync(manifest, whole);
    const odd = join(place.backup, 'files', 'odd');
    mkdirSync(join(place.backup, 'files'), { recursive: true });
    symlinkSync(folder, odd);
    expect((await restore()).said).toMatch(/odd is neither a file nor a folder/);
    rmSync(odd);
    rmSync(manifest);
    expect((await restore()).said).toMatch(/ holds no finished backup/);
    expect(existsSync(place.dataDir)).toBe(false);
    writeFileSync(manifest, whole);
    writeFileSync(odd, '');
    truncateSync(odd, 2 ** 43);
    expect((await restore()).said).toMatch(/^the backup needs \d+ MiB, and there are \d+ MiB free/);
  });
});

type Account = Awaited<ReturnType<typeof demoAccount>>;

/** Uploads a text; its address. */
async function upload({ url }: ServerProcess, account: Account, text: string): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([text]), 'nests.txt');
  const response = await fetch(`${url}/api/v1/user_uploads`, { method: 'POST', body: form, headers: basic(account) });
  const reply = (await response.json()) as { url: string };
  return reply.url;
}

async function download({ url }: ServerProcess, account: Account, file: string): Promise<string> {
  const response = await fetch(`${url}/api/v1${file}`, { headers: basic(account) });
  const reply = (await response.json()) as { url: string };
  return (await fetch(`${url}${reply.url}`)).text();
}

function basic({ email, api_key }: Account): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}` };
}
