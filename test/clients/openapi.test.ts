import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { OPENAPI_TOOLS, pythonWith } from '../support/python.ts';

const run = promisify(execFile);

/** What waits for a minute, and what would end the account or the key that the tool calls with. */
const LEFT_OUT = [
  '--exclude-operation-id=get-events',
  '--exclude-operation-id-regex=(own-user|own-api|deactivate-realm)',
];
/** No failure of the server, and no reply that is not as the document says. */
const CHECKS = '--checks=not_a_server_error,response_schema_conformance,content_type_conformance';

const programs = await pythonWith(OPENAPI_TOOLS);

/**
 * The document as the tool can use it. It takes `prefixItems` of a response for a mistake; and it writes JSON into a
 * parameter where `content` stands, but not where a text is said to have JSON in it.
 */
function forExploring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forExploring);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, forExploring(member)]);
  const { prefixItems, ...rest } = Object.fromEntries(entries);
  if (rest.in === 'query' && rest.schema?.contentSchema) {
    const { schema, example, ...place } = rest;
    return {
      ...place,
      content: { 'application/json': { schema: schema.contentSchema, example: JSON.parse(example) } },
    };
  }
  const form = rest['application/x-www-form-urlencoded'];
  if (form?.schema.properties) return { ...rest, 'application/x-www-form-urlencoded': withJsonFields(form.schema) };
  return prefixItems === undefined ? rest : { ...rest, items: { anyOf: prefixItems } };
}

/** A form whose texts with JSON in them are described by what is in them. */
function withJsonFields(schema: { readonly properties: Readonly<Record<string, { contentSchema?: object }>> }): object {
  const fields = Object.entries(schema.properties);
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, field.contentSchema ?? field]));
  const named = fields.filter(([, field]) => field.contentSchema).map(([name]) => name);
  const encoding = Object.fromEntries(named.map((name) => [name, { contentType: 'application/json' }]));
  return { schema: { ...schema, properties }, encoding };
}

describe.skipIf(!programs)('the served API document', () => {
  const program = (file: string) => join(programs ?? '', file);
  let database: TestDatabase;
  let server: ServerProcess;
  let owner: Awaited<ReturnType<typeof demoAccount>>;
  let file: string;

  // A server for each: what the tool sends may take from the account what the next test starts from.
  beforeEach(async () => {
    database = await makeDatabase('sqlite');
    server = await startProcess(database, await freePort(), { ROOST_RATE_LIMITS: 'off' });
    owner = await demoAccount(server, 'owner@roost.test');
    file = join(database.dataDir, 'openapi.json');
  });
  afterEach(async () => {
    await server.kill('SIGTERM');
    await database.remove();
  });
  const document = async () => (await fetch(`${server.url}/api/v1/openapi.json`)).json();

  /** Calls what the document describes with values it allows, some of them of things that are there. */
  const explore = async (seconds: number, ...options: readonly string[]) => {
    const { subscriptions, realm_users, max_message_id } = await call(server, owner, 'POST', '/register');
    const { user_id } = realm_users.at(-1);
    const values = { stream_id: subscriptions[0].stream_id, user_id, user_id_or_email: user_id };
    const known = Object.entries({ ...values, message_id: max_message_id });
    const config = join(database.dataDir, 'schemathesis.toml');
    const lines = known.map(([name, value]) => `"path.${name}" = ${value}\n`);
    await writeFile(config, `[parameters]\n${lines.join('')}`);
    await writeFile(file, JSON.stringify(forExploring(await document())));
    const account = `--auth=${owner.email}:${owner.api_key}`;
    const bounds = [`--max-time=${seconds}`, '--max-examples=30', '--request-timeout=10', '--no-shrink', '--seed=1'];
    const common = ['run', file, `--url=${server.url}`, account, CHECKS, ...LEFT_OUT, ...bounds, '--mode=positive'];
    const args = [`--config-file=${config}`, ...common, '--continue-on-failure', '--warnings=off', ...options];
    return run(program('schemathesis'), args, { cwd: database.dataDir }).then(
      ({ stdout }) => ({ passed: true, stdout }),
      ({ stdout }: { stdout: string }) => ({ passed: false, stdout }),
    );
  };

  it('is OpenAPI 3.1', async () => {
    await writeFile(file, JSON.stringify(await document()));
    const { stdout } = await run(program('python'), ['-m', 'openapi_spec_validator', file]);
    expect(stdout).toContain('OK');
  });

  it('keeps its word for whatever is sent', async () => {
    // A slow machine needs most of the first time to read the document.
    for (const seconds of [30, 120, 300]) {
      const { passed, stdout } = await explore(seconds, '--phases=fuzzing', '--exclude-method=DELETE');
      expect(passed, stdout).toBe(true);
      if (Number(/(\d+) generated/.exec(stdout)?.[1]) > 200) return;
    }
    expect.unreachable('hardly anything was sent');
  }, 600_000);

  it('keeps its word along chains of calls', async () => {
    // A busy machine comes to its first chain late.
    for (const seconds of [15, 60, 180]) {
      const { passed, stdout } = await explore(seconds, '--phases=stateful');
      expect(passed, stdout).toBe(true);
      if (/API Links:\s+[1-9]/.test(stdout)) return;
    }
    expect.unreachable('no chain was tried');
  }, 400_000);
});
