import type { Transporter } from 'nodemailer';
import type { Clock } from '#kernel/clock';
import { assertOutsideTransaction } from '#kernel/scope';
import { type Mail, type Mailbox, type Mailer, MailFault } from './mail.ts';
import { toMessage } from './message.ts';

/** Milliseconds until a mail server that says nothing is given up: at the connection, and between two of its words. */
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 30_000;
/** Milliseconds for a mail in all, with its wait for a connection: a server that answers by drops is never silent. */
const MAIL_TIMEOUT_MS = 120_000;
/** Connections that are kept for further mails. */
const CONNECTIONS = 3;
/** From here on an answer means: never. RFC 5321 §4.2.1. */
const FIRST_PERMANENT = 500;

/** What `openSmtp` is given. */
export interface SmtpOptions {
  /** `smtp://[user:password@]host[:port]`, or `smtps://…` for TLS from the start. */
  readonly url: string;
  readonly from: Mailbox;
  readonly clock: Clock;
}

/** Mails by way of a mail server. The library is loaded with the first one. */
export function openSmtp({ url, from, clock }: SmtpOptions): Mailer {
  let opened: Promise<Transporter> | undefined;
  const open = (): Promise<Transporter> => (opened ??= connectTo(url));
  return {
    sendMail: async (mail: Mail) => {
      assertOutsideTransaction('mail');
      const message = toMessage(mail, from, new Date(clock.nowMs()));
      const transport = await open();
      const late = new AbortController();
      const timer = clock.after(MAIL_TIMEOUT_MS, () => late.abort(new Error('the mail server takes too long')));
      try {
        await orFault(() => transport.sendMail({ ...message, signal: late.signal }));
      } finally {
        timer.cancel();
      }
    },
    checkHealth: async () => {
      const transport = await open();
      await orFault(() => transport.verify());
    },
    close: async () => {
      (await opened)?.close();
    },
  };
}

async function connectTo(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
  });
}

async function orFault(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new MailFault('the mail server did not take the mail', isPermanent(error), error);
  }
}

function isPermanent(error: unknown): boolean {
  return (
    error instanceof Error &&
    'responseCode' in error &&
    typeof error.responseCode === 'number' &&
    error.responseCode >= FIRST_PERMANENT
  );
}
