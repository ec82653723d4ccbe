import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { describeMail } from './conformance.ts';
import { type Mailer, openMail, type WrittenMail } from './index.ts';

const MAIL = { to: { address: 'max@roost.test' }, subject: 'Hello', text: 'Hello Max' };

describe('mails in a folder', () => {
  let root: string;
  let folder: string;
  let mailer: Mailer;
  const announced: WrittenMail[] = [];

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'roost-mail-'));
    folder = join(root, 'mails');
    mailer = openMail({
      folder,
      from: { name: 'Roost', address: 'noreply@roost.test' },
      clock: new TestClock(),
      announce: (mail) => announced.push(mail),
    });
  });
  afterAll(() => rm(root, { recursive: true }));

  describeMail(() => ({ mailer, received: async () => readFileSync(announced.at(-1)?.path ?? '') }));

  it('are named by time, whole when they are there, and announced', async () => {
    const before = announced.length;
    await Promise.all([mailer.sendMail(MAIL), mailer.sendMail({ ...MAIL, subject: 'Two' })]);
    const fresh = announced.slice(before);
    expect(fresh.map(({ subject }) => subject).toSorted()).toEqual(['Hello', 'Two']);
    for (const { path, to } of fresh) {
      expect(to).toBe('max@roost.test');
      expect(path).toMatch(/2026-11-21T09-00-00\.000Z-\w{8}\.eml$/);
      expect(readFileSync(path, 'latin1')).toMatch(/^From: Roost <noreply@roost.test>\r\n/);
    }
    const files = readdirSync(folder).filter((name) => name.endsWith('.eml'));
    expect(files).toHaveLength(announced.length);
  });

  it('are not announced when they cannot be written', async () => {
    const path = join(root, 'occupied');
    await writeFile(path, 'no folder');
    const before = announced.length;
    const options = { folder: path, from: { address: 'a@roost.test' }, clock: new TestClock() };
    const elsewhere = openMail({ ...options, announce: (mail) => announced.push(mail) });
    await expect(elsewhere.sendMail(MAIL)).rejects.toThrow();
    await expect(elsewhere.checkHealth()).rejects.toThrow();
    expect(announced).toHaveLength(before);
    expect(await readdir(root)).toContain('occupied');
    await elsewhere.close();
  });
});
