import { once } from 'node:events';
import { BlockList, isIPv6 } from 'node:net';
import type { SMTPServer, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import type { Clock } from '#kernel/clock';
import type { Log } from '#kernel/log';
import { type ReceivedMail, readMail } from './read.ts';
import { MailRefusal } from './refusal.ts';
import { MailsInMemory, MAX_MAIL_BYTES } from './whole.ts';

/** Networks that have names. RFC 1918, 3927, 4193, 4291. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Which addresses are in one of these networks: addresses, networks with a prefix, or their names. */
function peersOf(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks.flatMap((name) => NAMED[name] ?? [name])) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
}

/** Most connections, and most mails that are read or stored, at a time: each mail may take twice its size in memory. */
const MAX_CONNECTIONS = 20;
const MAX_AT_WORK = 2;
const MAX_WAITING = MAX_CONNECTIONS;
/**
 * Most recipients of one mail. SMTP has one answer for all of them, so it gets one at a time: the sender tries the
 * others again.
 */
const MAX_RECIPIENTS = { smtp: 1, lmtp: 20 } as const;
/** Most milliseconds of silence, and for a whole mail. */
const SILENCE_MS = 60_000;
const MAIL_MS = 300_000;
/** Milliseconds that open connections get when the server ends. */
const CLOSE_MS = 1_000;

/** The sender of the envelope; empty for reports of failures. RFC 5321 §4.5.5. */
export interface Letter {
  readonly from: string;
  readonly to: string;
  /** SHA-256 of the mail, in hexadecimal. */
  readonly hash: string;
  /** Reads the mail, once for all of its recipients. */
  readonly read: () => Promise<ReceivedMail>;
}

/** What is done with mails. */
export interface Receiver {
  /** Throws a `MailRefusal` where no mail of this sender is taken for this address. */
  accept(to: string, from: string): Promise<void>;
  /** The mail is stored when this resolves; throws a `MailRefusal` otherwise. */
  take(letter: Letter): Promise<void>;
}

interface MailListenerOptions {
  /** `smtp://host:port` or `lmtp://host:port`. */
  readonly url: string;
  /** Whose connections are taken; see `peersOf`. */
  readonly networks: readonly string[];
  /** How the server calls itself. */
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly receiver: Receiver;
}

export interface MailListener {
  readonly port: number;
  /** Ends within seconds; a mail that is being stored is answered first. */
  close(): Promise<void>;
}

/** Where mails are handed over, and how. */
export function mailInPlace(url: string): { readonly isLmtp: boolean; readonly host: string; readonly port: number } {
  const { protocol, hostname, port } = new URL(url);
  const isLmtp = protocol === 'lmtp:';
  const usual = isLmtp ? 2424 : 2525;
  return { isLmtp, host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? usual : Number(port) };
}

/**
 * Takes mails from the mail server of the operator, by SMTP or LMTP. What was answered with 250 is stored; every other mail
 * is still the sender's. The library is loaded with the first listener.
 */
export async function listenForMail(options: MailListenerOptions): Promise<MailListener> {
  const { SMTPServer: Server } = await import('smtp-server');
  const { isLmtp, host, port } = mailInPlace(options.url);
  const server: SMTPServer = new Server({
    ...BARE,
    lmtp: isLmtp,
    name: options.name,
    maxRecipients: isLmtp ? MAX_RECIPIENTS.lmtp : MAX_RECIPIENTS.smtp,
    ...handlersOf(options, (id) => cutOff(server, id)),
  });
  const listening = server.listen(port, host);
  await Promise.race([once(listening, 'listening'), once(server, 'error').then(([error]) => Promise.reject(error))]);
  server.on('error', (error: Error) => options.log.room('mail').warn({ err: error }, 'a mail connection failed'));
  const address = listening.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** No passwords and no encryption: only mail servers beside this one may connect. */
const BARE: SMTPServerOptions = {
  banner: 'Roost',
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS', 'XCLIENT', 'XFORWARD', 'VRFY', 'HELP'],
  disableReverseLookup: true,
  logger: false,
  size: MAX_MAIL_BYTES,
  rejectOversized: true,
  maxClients: MAX_CONNECTIONS,
  socketTimeout: SILENCE_MS,
  closeTimeout: CLOSE_MS,
  hideDSN: true,
  hideREQUIRETLS: true,
};

function handlersOf(options: MailListenerOptions, cut: (id: string) => void): SMTPServerOptions {
  const { networks, receiver, clock, log } = options;
  const isPeer = peersOf(networks);
  const queue = turns();
  const mails = new MailsInMemory(clock);
  const answer = (error: unknown): Error => {
    if (error instanceof MailRefusal) return error;
    log.room('mail').warn({ err: error }, 'a mail could not be stored');
    return new MailRefusal('later', 'not stored; try again later');
  };
  return {
    onConnect: ({ remoteAddress }, done) =>
      done(isPeer(remoteAddress) ? null : new MailRefusal('refused', 'no mail is taken from this address')),
    onRcptTo: ({ address }, session, done) => {
      receiver.accept(address, senderIn(session)).then(
        () => done(),
        (error: unknown) => done(answer(error)),
      );
    },
    onData: (stream, session, done) => {
      const late = clock.after(MAIL_MS, () => cut(session.id));
      const { rcptTo } = session.envelope;
      const from = senderIn(session);
      const store = (letter: Letter) =>
        queue(() => receiver.take(letter)).then(
          () => 'stored',
          (error: unknown) => answer(error),
        );
      void mails
        .use(stream, async ({ bytes, hash }) => {
          late.cancel();
          let reading: Promise<ReceivedMail> | undefined;
          const read = () => (reading ??= readMail(bytes));
          const answers: (string | Error)[] = [];
          for (const { address } of rcptTo) answers.push(await store({ from, to: address, hash, read }));
          const [first] = answers;
          if (options.url.startsWith('lmtp:')) done(null, answers);
          else done(first instanceof Error ? first : null, 'stored');
        })
        .catch((error: unknown) => {
          late.cancel();
          done(answer(error));
        });
    },
  };
}

function senderIn({ envelope: { mailFrom } }: SMTPServerSession): string {
  return mailFrom === false ? '' : mailFrom.address;
}

/** Ends a connection that takes too long. */
function cutOff(server: SMTPServer, id: string): void {
  for (const connection of server.connections) if (connection.id === id) connection.close();
}

/**
 * Returns a function that runs a few pieces of work at a time, in the order of arrival, and refuses more when too many
 * wait.
 */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= MAX_AT_WORK) {
      if (waiting.length >= MAX_WAITING) throw new MailRefusal('crowded', 'too many mails at a time; try again later');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
