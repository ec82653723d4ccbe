import { join } from 'node:path';
import type { Clock } from '#kernel/clock';
import { openFiles } from '#kernel/files';
import { assertOutsideTransaction } from '#kernel/scope';
import type { Mail, Mailbox, Mailer } from './mail.ts';
import { type Message, toMessage } from './message.ts';

/** A mail that was written instead of sent. */
export interface WrittenMail {
  readonly path: string;
  readonly to: string;
  readonly subject: string;
}

/** What `openFolder` is given. */
export interface FolderOptions {
  readonly folder: string;
  readonly from: Mailbox;
  readonly clock: Clock;
  /** Tells people that a mail was written: without a mail server nobody else does. */
  readonly announce: (mail: WrittenMail) => void;
}

/** Letters and digits of a file's name that no other mail of the same millisecond has. */
const TOKEN_LENGTH = 8;

/** Mails as `.eml` files in a folder, named by time, for servers without a mail server. */
export function openFolder({ folder, from, clock, announce }: FolderOptions): Mailer {
  const open = () => openFiles(folder, { clock });
  return {
    sendMail: async (mail: Mail) => {
      assertOutsideTransaction('mail');
      const date = new Date(clock.nowMs());
      const bytes = await compose(toMessage(mail, from, date));
      const name = `${date.toISOString().replaceAll(':', '-')}-${clock.token(TOKEN_LENGTH)}.eml`;
      const files = await open();
      await files.put(name, bytes);
      announce({ path: join(folder, name), to: mail.to.address, subject: mail.subject });
    },
    checkHealth: async () => (await open()).checkHealth(),
    close: async () => undefined,
  };
}

async function compose(message: Message): Promise<Buffer> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message: bytes } = await transport.sendMail(message);
  if (!Buffer.isBuffer(bytes)) throw new Error('a mail was not written whole');
  return bytes;
}
