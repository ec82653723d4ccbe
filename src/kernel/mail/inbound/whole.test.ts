import { expect, it } from 'vitest';
import { MailsInMemory } from './whole.ts';

const MIB = 2 ** 20;

/** A mail of so many MiB, as it arrives. */
async function* mailOf(mib: number): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < mib; sent++) yield Buffer.alloc(MIB);
}

it('holds the bytes of two of the largest mails, and takes others when these are stored', async () => {
  const mails = new MailsInMemory();
  let end = () => {};
  const stored = new Promise<void>((resolve) => (end = resolve));
  const use = (mib: number) => mails.use(mailOf(mib), (bytes) => stored.then(() => bytes.length / MIB));
  const [first, second] = [use(25), use(24)];
  // Both have come whole.
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  await expect(use(2)).rejects.toMatchObject({ responseCode: 452 });
  const small = use(1);
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  await expect(use(26)).rejects.toMatchObject({ responseCode: 552 });
  end();
  expect(await Promise.all([first, second, small])).toEqual([25, 24, 1]);
  expect(await Promise.all([use(25), use(25)])).toEqual([25, 25]);
});

it('gives back what came of a mail that broke off, or could not be stored', async () => {
  const mails = new MailsInMemory();
  async function* broken(): AsyncGenerator<Buffer> {
    yield* mailOf(25);
    throw new Error('the connection broke');
  }
  for (let time = 0; time < 3; time++) {
    await expect(mails.use(broken(), () => Promise.resolve())).rejects.toThrow('broke');
    await expect(mails.use(mailOf(25), () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
  }
  expect(await mails.use(mailOf(25), ({ length }) => Promise.resolve(length))).toBe(25 * MIB);
});
