import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';

const DISK_MIB = 24;
const MIB = 2 ** 20;

/** A disk of its own in memory, which only root may make; undefined where we are nobody. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'roost-small-disk-'));
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=0700`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
}

const disk = smallDisk();

describe.skipIf(!disk)('a server whose disk is full, on sqlite', () => {
  const dataDir = disk ?? '';
  let server: ServerProcess;
  let account: Awaited<ReturnType<typeof demoAccount>>;
  beforeAll(async () => {
    const port = await freePort();
    server = await startProcess({ dataDir, databaseUrl: undefined, remove: async () => undefined }, port, {
      ROOST_RATE_LIMITS: 'off',
    });
    account = await demoAccount(server, 'member@roost.test');
  });
  afterAll(async () => {
    await server.kill('SIGTERM');
    execFileSync('/bin/umount', ['-l', dataDir]);
    rmSync(dataDir, { recursive: true });
  });

  const send = (content: string) =>
    call(server, account, 'POST', '/messages', { type: 'direct', to: [account.user_id], content });
  const upload = async (bytes: number) => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), 'large.bin');
    const headers = { authorization: `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString('base64')}` };
    return fetch(`${server.url}/api/v1/user_uploads`, { method: 'POST', headers, body: form });
  };
  const fill = () => {
    for (let size = MIB; size >= 4096; size /= 2)
      for (let number = 0; ; number++) {
        try {
          writeFileSync(join(dataDir, `filler-${size}-${number}`), Buffer.alloc(size));
        } catch {
          break;
        }
      }
  };
  const clear = () => execFileSync('sh', ['-c', 'rm -f "$0"/filler-*', dataDir]);

  it('refuses what it cannot keep, in one clear way, lives, and goes on when there is space again', async () => {
    const kept: string[] = [];
    for (let number = 0; number < 20; number++) {
      expect(await send(`before ${number}`)).toMatchObject({ result: 'success' });
      kept.push(`before ${number}`);
    }
    fill();
    const refused = await upload(2 * MIB);
    expect([refused.status, await refused.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'SERVER_NOT_READY', msg: 'The server is temporarily unavailable' }),
    ]);
    const answers = new Set<string>();
    for (let number = 0; number < 300; number++) {
      const content = `${'x'.repeat(9000)} full ${number}`;
      const reply = await send(content);
      if (reply['result'] === 'success') kept.push(content);
      else answers.add(`${reply['code']}: ${reply['msg']}`);
    }
    expect([...answers]).toEqual(['SERVER_NOT_READY: The server is temporarily unavailable']);
    expect(server.isRunning()).toBe(true);
    // Reading needs no space.
    expect(await call(server, account, 'GET', '/users/me')).toMatchObject({ result: 'success' });
    clear();
    expect(await send('after')).toMatchObject({ result: 'success' });
    kept.push('after');
    expect((await upload(2 * MIB)).status).toBe(200);
    const fields = {
      anchor: 'newest',
      num_before: 1000,
      num_after: 0,
      apply_markdown: false,
      narrow: [{ operator: 'dm', operand: [account.user_id] }],
    };
    const { messages } = await call(server, account, 'GET', '/messages', fields);
    const contents = messages.map(({ content }: { content: string }) => content);
    expect(contents.slice(-kept.length)).toEqual(kept);
  }, 120_000);
});
