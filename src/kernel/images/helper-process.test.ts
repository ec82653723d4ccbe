import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { HelperDied, HelperMissing, HelperProcess, HelperTooSlow } from './helper-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'roost-helper-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Answers what its process is, and does what it is told. */
const PROGRAM = `
import { getPriority } from 'node:os';
import { answerRequests } from ${JSON.stringify(new URL('./answer-requests.js', import.meta.url).href)};
answerRequests(async ({ kind }, bytes) => {
  if (kind === 'die') process.kill(process.pid, 'SIGSEGV');
  if (kind === 'hang') for (;;) {}
  if (kind === 'fail') throw new Error('cannot');
  const sum = bytes.reduce((all, byte) => (all * 31 + byte) % 65521, 0);
  return { pid: process.pid, size: bytes.length, sum, nice: getPriority(), env: { ...process.env } };
});`;
const file = join(folder, 'program.mjs');
writeFileSync(file, PROGRAM);
const program = pathToFileURL(file);

const helper = (options = {}) => new HelperProcess({ program, patienceMs: 20_000, idleMs: 20_000, ...options });
interface Seen {
  readonly pid: number;
  readonly size: number;
  readonly sum: number;
  readonly nice: number;
  readonly env: Readonly<Record<string, string>>;
}
const look = async (asked: HelperProcess, bytes?: Uint8Array) => (await asked.ask({ kind: 'look' }, bytes)) as Seen;
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a process that helps', () => {
  it('gets bytes of any size, keeps them for the requests that follow, and does not share them', async () => {
    const one = helper();
    const bytes = Buffer.alloc(3 * 2 ** 20 + 7, 'picture');
    const sum = bytes.reduce((all, byte) => (all * 31 + byte) % 65521, 0);
    const first = await look(one, bytes);
    expect(first).toMatchObject({ size: bytes.length, sum });
    expect(await look(one)).toEqual(first);
    expect(await look(one, Buffer.alloc(0))).toMatchObject({ pid: first.pid, size: 0 });
  });

  it('is another than ours, gives way to it, and ends before it', async () => {
    const { pid, nice } = await look(helper());
    expect(pid).not.toBe(process.pid);
    expect(nice).toBe(5);
    if (process.platform !== 'linux') return;
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('500');
  });

  it('knows nothing of our environment but where libraries are', async () => {
    process.env['ROOST_DATABASE_URL'] = 'postgres://roost:secret@db/roost';
    const { env } = await look(helper());
    delete process.env['ROOST_DATABASE_URL'];
    expect(JSON.stringify(env)).not.toContain('secret');
    expect(env['PATH']).toBe(process.env['PATH']);
  });

  it('says why it cannot answer, and goes on', async () => {
    const one = helper();
    const { pid } = await look(one);
    expect(await one.ask({ kind: 'fail' })).toEqual({ fault: 'cannot' });
    expect((await look(one)).pid).toBe(pid);
  });

  it('may end while it works, and another takes its place', async () => {
    const one = helper();
    const { pid } = await look(one);
    const died = await one.ask({ kind: 'die' }).catch((error: unknown) => error);
    expect(died).toBeInstanceOf(HelperDied);
    expect(died).toMatchObject({ message: 'ended with SIGSEGV' });
    expect((await look(one)).pid).not.toBe(pid);
  });

  it('may end between requests', async () => {
    const one = helper();
    const { pid } = await look(one);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await look(one)).pid).not.toBe(pid);
  });

  it('is ended when it takes too long', async () => {
    const one = helper({ patienceMs: 1500 });
    const { pid } = await look(one);
    await expect(one.ask({ kind: 'hang' }, Buffer.alloc(4 * 2 ** 20))).rejects.toBeInstanceOf(HelperTooSlow);
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await look(one)).pid).not.toBe(pid);
  });

  it('is ended when nothing is asked, so that it keeps no memory', async () => {
    const one = helper({ idleMs: 50 });
    const { pid } = await look(one);
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await look(one)).pid).not.toBe(pid);
  });

  it('that cannot be started is an error', async () => {
    const path = process.execPath;
    process.execPath = join(folder, 'no-program');
    const one = helper();
    await expect(look(one)).rejects.toBeInstanceOf(HelperMissing);
    process.execPath = path;
    expect((await look(one)).size).toBe(0);
  });

  it('ends with ours, also where that is killed while it works', async () => {
    const ours = `
      import { fork } from 'node:child_process';
      const child = fork(${JSON.stringify(file)}, [], { serialization: 'advanced', execArgv: [] });
      child.send({ kind: 'look' });
      child.once('message', ({ pid }) => console.log(pid));`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', ours]);
    const [pid] = await new Promise<number[]>((resolve) =>
      parent.stdout.once('data', (data: Buffer) => resolve([Number(data)])),
    );
    expect(isAlive(pid ?? 0)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isAlive(pid ?? 0)).toBe(false);
  });
});
