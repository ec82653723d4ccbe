import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { describeMail } from './conformance.ts';
import { type Mailer, openMail, sendersOf, tryEnvelope } from './index.ts';

const FROM = { name: 'Roost', address: 'noreply@roost.test' };
const MAIL = { to: { address: 'max@roost.test' }, subject: 'Hello', text: 'Hello Max' };

interface Delivery {
  readonly from: string;
  readonly to: readonly string[];
  readonly bytes: Buffer;
}

class RefusedBy extends Error {
  readonly responseCode: number;

  constructor(responseCode: number) {
    super('refused');
    this.responseCode = responseCode;
  }
}

/** A mail server whose recipients `refuse500` and `refuse400` are refused. */
function serverOf(deliveries: Delivery[], options: SMTPServerOptions = {}): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onRcptTo: ({ address }, _session, done) => {
      const code = /^refuse(\d+)@/.exec(address)?.[1];
      done(code === undefined ? null : new RefusedBy(Number(code)));
    },
    onData: (stream, { envelope }, done) => {
      void buffer(stream).then((bytes) => {
        const { mailFrom, rcptTo } = envelope;
        deliveries.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), bytes });
        done();
      });
    },
    ...options,
  });
}

async function listen(server: SMTPServer): Promise<number> {
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return (listening.address() as AddressInfo).port;
}

function mailerTo(smtpUrl: string, clock = new TestClock()): Mailer {
  const announce = (): never => {
    throw new Error('nothing is written when there is a mail server');
  };
  return openMail({ smtpUrl, from: FROM, folder: '/nowhere', clock, announce });
}

describe('mails over a mail server', () => {
  const deliveries: Delivery[] = [];
  const server = serverOf(deliveries);
  let mailer: Mailer;

  beforeAll(async () => {
    mailer = mailerTo(`smtp://127.0.0.1:${await listen(server)}`);
  });
  afterAll(async () => {
    await mailer.close();
    await new Promise<void>((resolve) => {
      server.close(resolve);
    });
  });

  describeMail(() => ({ mailer, received: async () => deliveries.at(-1)?.bytes ?? Buffer.alloc(0) }));

  it('go to the one recipient, from the one sender', async () => {
    await mailer.sendMail({ ...MAIL, fromName: 'x <evil@roost.test>', replyTo: { address: 'olive@roost.test' } });
    expect(deliveries.at(-1)).toMatchObject({ from: 'noreply@roost.test', to: ['max@roost.test'] });
  });

  it.each([
    [550, true],
    [450, false],
  ])('that are refused with %i say whether to try again', async (code, isPermanent) => {
    const mail = { ...MAIL, to: { address: `refuse${code}@roost.test` } };
    await expect(mailer.sendMail(mail)).rejects.toMatchObject({ name: 'MailFault', isPermanent });
    await expect(mailer.sendMail(mail)).rejects.toThrow(/^the mail server did not take the mail$/);
    await mailer.sendMail(MAIL);
  });
});

describe('a mail server', () => {
  it('asks for the name and password of the URL', async () => {
    const deliveries: Delivery[] = [];
    const server = serverOf(deliveries, {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        const isKnown = username === 'me' && password === 'p@ss';
        done(isKnown ? null : new RefusedBy(535), { user: username });
      },
    });
    const port = await listen(server);
    const known = mailerTo(`smtp://me:p%40ss@127.0.0.1:${port}`);
    await known.checkHealth();
    await known.sendMail(MAIL);
    expect(deliveries).toHaveLength(1);
    const unknown = mailerTo(`smtp://me:other@127.0.0.1:${port}`);
    await expect(unknown.checkHealth()).rejects.toMatchObject({ name: 'MailFault', isPermanent: true });
    await Promise.all([known.close(), unknown.close()]);
    await new Promise<void>((resolve) => {
      server.close(resolve);
    });
  });

  it('that answers by drops holds a mail for two minutes, and takes others when it is well again', {
    timeout: 10_000,
  }, async () => {
    const open = new Set<Socket>();
    let isWell = false;
    const server = createServer((socket) => {
      open.add(socket.once('close', () => open.delete(socket)).on('error', () => undefined));
      socket.write('220 here\r\n');
      // A line that is not the last of the answer, to everything.
      socket.on('data', () => socket.write(isWell ? '554 no\r\n' : '250-wait\r\n'));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const clock = new TestClock();
    const mailer = mailerTo(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, clock);
    const sent = Promise.allSettled(Array.from({ length: 4 }, () => mailer.sendMail(MAIL)));
    await expect.poll(() => open.size).toBe(3);
    clock.advance(120_001);
    for (const one of await sent)
      expect(one).toMatchObject({ reason: { name: 'MailFault', isPermanent: false, cause: { name: 'AbortError' } } });
    await expect.poll(() => open.size).toBe(0);
    isWell = true;
    await expect(mailer.sendMail(MAIL)).rejects.toMatchObject({ isPermanent: true });
    await mailer.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('that is away makes mails fail for now', async () => {
    const server = serverOf([]);
    const port = await listen(server);
    await new Promise<void>((resolve) => {
      server.close(resolve);
    });
    const mailer = mailerTo(`smtp://127.0.0.1:${port}`);
    await expect(mailer.sendMail(MAIL)).rejects.toMatchObject({ name: 'MailFault', isPermanent: false });
    await expect(mailer.checkHealth()).rejects.toMatchObject({ name: 'MailFault', isPermanent: false });
    await mailer.close();
  });
});

describe('an envelope that is tried', () => {
  it('tells what the mail server says of sender and recipient, and sends nothing', async () => {
    const deliveries: Delivery[] = [];
    const server = serverOf(deliveries, {
      onMailFrom: ({ address }, _session, done) => done(address.startsWith('alien') ? new RefusedBy(553) : null),
    });
    const url = `smtp://127.0.0.1:${await listen(server)}`;
    await tryEnvelope(url, 'noreply@roost.test', 'max@roost.test');
    await expect(tryEnvelope(url, 'alien@roost.test', 'max@roost.test')).rejects.toThrow(/553/);
    await expect(tryEnvelope(url, 'noreply@roost.test', 'refuse550@roost.test')).rejects.toThrow(/550/);
    expect(deliveries).toEqual([]);
    await new Promise((resolve) => server.close(() => resolve(undefined)));
    await expect(tryEnvelope(url, 'noreply@roost.test', 'max@roost.test')).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe('the sender', () => {
  it('is who the operator names, else an address of the server', () => {
    const none = { mailFrom: undefined, mailReplyTo: undefined };
    expect(sendersOf(none, 'chat.example.org')).toEqual({
      from: { name: 'Roost', address: 'noreply@chat.example.org' },
    });
    expect(sendersOf(none, 'localhost').from.address).toBe('noreply@localhost.localdomain');
    const mailFrom = 'Example Chat <chat@example.org>';
    expect(sendersOf({ mailFrom, mailReplyTo: 'it@example.org' }, 'localhost')).toEqual({
      from: { name: 'Example Chat', address: 'chat@example.org' },
      replyTo: { address: 'it@example.org' },
    });
  });

  it('has answers go where the operator wants them, unless a mail says otherwise', async () => {
    const deliveries: Delivery[] = [];
    const server = serverOf(deliveries);
    const smtpUrl = `smtp://127.0.0.1:${await listen(server)}`;
    const announce = () => undefined;
    const replyTo = { address: 'it@roost.test' };
    const mailer = openMail({ smtpUrl, from: FROM, replyTo, folder: '/nowhere', clock: new TestClock(), announce });
    await mailer.sendMail(MAIL);
    await mailer.sendMail({ ...MAIL, replyTo: { address: 'olive@roost.test' } });
    expect(deliveries.map(({ bytes }) => /^Reply-To: (.*)\r$/m.exec(bytes.toString())?.[1])).toEqual([
      'it@roost.test',
      'olive@roost.test',
    ]);
    await mailer.close();
    await new Promise((resolve) => server.close(() => resolve(undefined)));
  });
});
