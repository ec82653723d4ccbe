import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTALL_MS, installed } from '../support/installed.ts';
import { OPENAPI_TOOLS, pythonWith } from '../support/python.ts';
import { openWorld, type World } from '../support/world.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const PACKAGES = [
  '@redocly/openapi-core@2.64.0',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.90.0',
  'typescript@5.9.3',
];
const [packages, python] = await Promise.all([
  installed('Node', PACKAGES, (folder) => {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps'];
    return run('npm', ['install', '--prefix', folder, ...flags, ...PACKAGES], { timeout: INSTALL_MS });
  }),
  pythonWith(OPENAPI_TOOLS),
]);

const LINT = `import { createConfig, lintFromString } from '@redocly/openapi-core';
import { readFileSync } from 'node:fs';
const config = await createConfig({ extends: ['recommended'] });
const source = readFileSync('openapi.json', 'utf8');
const problems = await lintFromString({ source, absoluteRef: process.cwd() + '/openapi.json', config });
console.log(JSON.stringify(problems.map(({ severity, ruleId, message }) => ({ severity, ruleId, message }))));`;

/** The same three calls with each client. A number that is not one for the compiler is an error of its own. */
const WITH_FETCH = `import createClient from 'openapi-fetch';
import type { paths } from './schema';
const [baseUrl = '', credentials = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: 'Basic ' + btoa(credentials) } });
const own = await client.GET('/api/v1/users/me');
const me: number = own.data!.user_id;
// @ts-expect-error a number is no text
const text: string = own.data!.user_id;
const body = { type: 'direct' as const, to: JSON.stringify([me]), content: 'by openapi-typescript' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const sent = await client.POST('/api/v1/messages', { body, headers: form });
const id: number = sent.data!.id;
const query = { anchor: 'newest', num_before: 1, num_after: 0, narrow: JSON.stringify([['is', 'dm']]) };
const read = await client.GET('/api/v1/messages', { params: { query } });
console.log(JSON.stringify({ me, id, read: read.data!.messages.map((message) => message.id) }));`;

const WITH_HEY = `import { client } from './hey/client.gen';
import { getMessages, getOwnUser, sendMessage } from './hey/sdk.gen';
const [baseUrl = '', credentials = ''] = process.argv.slice(2);
client.setConfig({ baseUrl, auth: () => credentials });
const own = await getOwnUser();
const me: number = own.data!.user_id;
// @ts-expect-error a number is no text
const text: string = own.data!.user_id;
const sent = await sendMessage({ body: { type: 'direct', to: JSON.stringify([me]), content: 'by hey-api' } });
const id: number = sent.data!.id;
const query = { anchor: 'newest', num_before: 1, num_after: 0, narrow: JSON.stringify([['is', 'dm']]) };
const read = await getMessages({ query });
console.log(JSON.stringify({ me, id, read: read.data!.messages.map((message) => message.id) }));`;

const WITH_PYTHON = `import base64, json, sys
from made.api.messages import get_messages, send_message
from made.api.users import get_own_user
from made.client import AuthenticatedClient
from made.models import GetOwnUserResponse200, SendMessageBody, SendMessageBodyType
base_url, credentials = sys.argv[1:]
client = AuthenticatedClient(base_url, base64.b64encode(credentials.encode()).decode(), prefix='Basic')
assert GetOwnUserResponse200.__annotations__['user_id'] in (int, 'int')
me = get_own_user.sync(client=client).user_id
body = SendMessageBody(type_=SendMessageBodyType.DIRECT, to=json.dumps([me]), content='by Python')
sent = send_message.sync(client=client, body=body)
narrow = json.dumps([['is', 'dm']])
read = get_messages.sync(client=client, anchor='newest', num_before=1, num_after=0, narrow=narrow)
print(json.dumps({'me': me, 'id': sent.id, 'read': [message.id for message in read.messages]}))`;

describe.skipIf(!packages || !python)('clients made from the API document', () => {
  let world: World;
  let origin: string;
  let folder: string;
  const credentials = () => `${world.olive.email}:${world.olive.apiKey}`;
  const tool = (...args: readonly string[]) => run(process.execPath, [...args], { cwd: folder });

  beforeAll(async () => {
    world = await openWorld('sqlite');
    origin = `http://127.0.0.1:${await world.server.listener.listen(0, '127.0.0.1')}`;
    folder = await mkdtemp(join(tmpdir(), 'roost-generated-'));
    await writeFile(join(folder, 'openapi.json'), (await world.spectator.fetch('/api/v1/openapi.json')).body);
    await symlink(join(packages ?? '', 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Checks the types of a program, and runs it. */
  const answerOf = async (name: string, source: string) => {
    const file = join(folder, `${name}.ts`);
    await writeFile(file, source);
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler'];
    const libraries = ['--target', 'es2024', '--lib', 'es2024,dom,dom.iterable', '--types', 'node'];
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types')];
    const compiler = join(ROOT, 'node_modules/typescript7/bin/tsc');
    await tool(compiler, ...options, ...libraries, ...types, file).catch(({ stdout }) => expect.fail(String(stdout)));
    const outfile = join(folder, `${name}.mjs`);
    await build({ entryPoints: [file], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
    return JSON.parse((await tool(outfile, origin, credentials())).stdout);
  };
  const expectAnswer = (answer: { me: number; id: number }) =>
    expect(answer).toEqual({ me: world.olive.userId, id: expect.any(Number), read: [answer.id] });

  it('come from a document in which redocly finds no error', async () => {
    await writeFile(join(folder, 'lint.mjs'), LINT);
    const problems: readonly { severity: string }[] = JSON.parse((await tool('lint.mjs')).stdout);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    // The address of this server, which is on this machine: without it, nothing would have been looked at.
    expect(problems).toContainEqual(expect.objectContaining({ ruleId: 'no-server-example.com' }));
  });

  it('work as openapi-typescript makes them', async () => {
    await tool('node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'schema.d.ts');
    expectAnswer(await answerOf('with-fetch', WITH_FETCH));
  });

  it('work as @hey-api/openapi-ts makes them', async () => {
    await tool('node_modules/@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'hey');
    expectAnswer(await answerOf('with-hey', WITH_HEY));
  });

  it('work as openapi-python-client makes them, which leaves nothing out', async () => {
    const program = (name: string) => join(python ?? '', name);
    await mkdir(join(folder, 'python'));
    await writeFile(join(folder, 'generator.json'), '{"post_hooks": []}');
    const options = ['--path', 'openapi.json', '--config', 'generator.json', '--meta', 'none', '--fail-on-warning'];
    const output = ['--output-path', join(folder, 'python', 'made')];
    await run(program('openapi-python-client'), ['generate', ...options, ...output], { cwd: folder });
    const args = ['-c', WITH_PYTHON, origin, credentials()];
    expectAnswer(JSON.parse((await run(program('python'), args, { cwd: join(folder, 'python') })).stdout));
  });
});
