import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';

const SMTPD = '/usr/sbin/smtpd';
const GUIDE = readFileSync(fileURLToPath(new URL('../../docs/mail.md', import.meta.url)), 'utf8');

/** The settings that the guide has for OpenSMTPD, with the ports and the domain of this test. */
function settings(listening: number, roost: number): string {
  const [, written = ''] = /# smtpd\.conf\n((?: {4}.+\n)+)/.exec(GUIDE) ?? [];
  const lines = written.replaceAll(/^ {4}/gm, '').replaceAll('in.example.org', 'in.roost.test');
  expect(lines).toContain('127.0.0.1:2424');
  return `listen on 127.0.0.1 port ${listening}\n${lines.replaceAll('127.0.0.1:2424', `127.0.0.1:${roost}`)}`;
}

// Its spool and control socket have fixed places, so it runs once, and as root.
const canRun = existsSync(SMTPD) && process.getuid?.() === 0;

describe.skipIf(!canRun)('mail by OpenSMTPD (docs/mail.md)', () => {
  let database: TestDatabase;
  let server: ServerProcess;
  let mailServer: ChildProcess;
  let listening: number;
  let output = '';
  beforeAll(async () => {
    database = await makeDatabase(databases[0] ?? 'sqlite');
    const roost = await freePort();
    listening = await freePort();
    server = await startProcess(database, await freePort(), {
      ROOST_MAIL_IN_URL: `lmtp://127.0.0.1:${roost}`,
      ROOST_MAIL_IN_ADDRESS: '*@in.roost.test',
    });
    const file = join(database.dataDir, 'smtpd.conf');
    await writeFile(file, settings(listening, roost), { mode: 0o600 });
    mailServer = spawn(SMTPD, ['-d', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [mailServer.stdout, mailServer.stderr])
      stream?.on('data', (chunk) => (output += String(chunk)));
  });
  afterAll(async () => {
    const gone = once(mailServer, 'exit');
    mailServer.kill('SIGTERM');
    await gone;
    await server.kill('SIGTERM');
    await database.remove();
  });

  it('reaches a channel from anywhere, and what is refused comes back to its sender', async () => {
    const max = await demoAccount(server, 'member@roost.test');
    const { stream_id } = await call(server, max, 'GET', '/get_stream_id', { stream: 'general' });
    const { email: to } = await call(server, max, 'GET', `/streams/${stream_id}/email_address`);
    const transport = createTransport({ host: '127.0.0.1', port: listening, ignoreTLS: true });
    const send = () =>
      transport.sendMail({ from: 'Sue <sue@example.org>', to, subject: 'The boat', text: 'It floats.' });
    await expect.poll(() => send().then(() => 'sent', String), { interval: 200 }).toBe('sent');
    const narrow = [{ operator: 'topic', operand: 'The boat' }];
    const page = { anchor: 'newest', num_before: 9, num_after: 0, apply_markdown: false, narrow };
    const messages = async () => (await call(server, max, 'GET', '/messages', page))['messages'];
    await expect.poll(async () => (await messages()).length, { interval: 100 }).toBe(1);
    expect((await messages())[0]).toMatchObject({ content: 'It floats.', sender_full_name: 'Email Gateway' });
    await transport.sendMail({ from: 'sue@example.org', to: 'nobody@in.roost.test', text: 'x' });
    await expect.poll(() => output).toMatch(/result="PermFail" stat="550 .*no such address/);
    transport.close();
  });
});
