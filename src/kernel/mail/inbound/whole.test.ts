import { expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { MailsInMemory } from './whole.ts';

const MIB = 2 ** 20;
const clock = new TestClock();

/** A mail of so many MiB, as it arrives; says how many of them have been read. */
async function* mailOf(mib: number, read: (mib: number) => void = () => undefined): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < mib; sent++) {
    read(sent);
    yield Buffer.alloc(MIB, sent);
  }
}

const sizeOf = ({ bytes }: { readonly bytes: Buffer }) => bytes.length / MIB;

async function turns(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await new Promise(setImmediate);
}

it('holds one large mail, reads no other on until that is stored, and takes small ones meanwhile', async () => {
  const mails = new MailsInMemory(clock);
  let end = () => {};
  const stored = new Promise<void>((resolve) => (end = resolve));
  let [waiting, read] = [true, 0];
  const first = mails.use(mailOf(25), (mail) => stored.then(() => sizeOf(mail)));
  await turns();
  const second = mails.use(
    mailOf(24, (mib) => (read = mib)),
    (mail) => {
      waiting = false;
      return Promise.resolve(sizeOf(mail));
    },
  );
  expect(await mails.use(mailOf(1), (mail) => Promise.resolve(sizeOf(mail)))).toBe(1);
  await turns();
  expect([waiting, read]).toEqual([true, 1]);
  end();
  expect(await Promise.all([first, second])).toEqual([25, 24]);
});

it('refuses a large mail that waited for too long, and one that is too large', async () => {
  const mails = new MailsInMemory(clock);
  let end = () => {};
  const stored = new Promise<void>((resolve) => (end = resolve));
  const first = mails.use(mailOf(25), () => stored);
  await turns();
  const second = mails.use(mailOf(2), () => Promise.resolve());
  await turns();
  clock.advance(30_001);
  await expect(second).rejects.toMatchObject({ responseCode: 452 });
  end();
  await first;
  await expect(mails.use(mailOf(26), () => Promise.resolve())).rejects.toMatchObject({ responseCode: 552 });
  expect(await mails.use(mailOf(25), (mail) => Promise.resolve(sizeOf(mail)))).toBe(25);
});

it('has what came, in order, and its hash', async () => {
  const mails = new MailsInMemory(clock);
  for (const mib of [0, 1, 3]) {
    const { bytes, hash } = await mails.use(mailOf(mib), (mail) => Promise.resolve(mail));
    const whole = Buffer.concat(Array.from({ length: mib }, (_, n) => Buffer.alloc(MIB, n)));
    expect(bytes.equals(whole)).toBe(true);
    expect(hash).toBe(Buffer.from(await crypto.subtle.digest('SHA-256', whole)).toString('hex'));
  }
});

it('gives the room back of what came of a mail that broke off, or could not be stored', async () => {
  const mails = new MailsInMemory(clock);
  async function* broken(): AsyncGenerator<Buffer> {
    yield* mailOf(25);
    throw new Error('the connection broke');
  }
  for (let time = 0; time < 3; time++) {
    await expect(mails.use(broken(), () => Promise.resolve())).rejects.toThrow('broke');
    await expect(mails.use(mailOf(25), () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
  }
  expect(await mails.use(mailOf(25), (mail) => Promise.resolve(sizeOf(mail)))).toBe(25);
});
