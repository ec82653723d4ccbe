import { type FolderOptions, openFolder } from './folder.ts';
import type { Mailbox, Mailer } from './mail.ts';
import { openSmtp } from './smtp.ts';

/** What is handed in to send mails; without a mail server's URL they are written to the folder. */
export interface MailOptions extends FolderOptions {
  readonly smtpUrl?: string;
  /** Where answers go to mails that say nothing else; the sender when absent. */
  readonly replyTo?: Mailbox;
}

/** Opens the way that mails go: to the mail server, or into the folder. */
export function openMail({ smtpUrl, replyTo, ...options }: MailOptions): Mailer {
  const mailer = smtpUrl === undefined ? openFolder(options) : openSmtp({ ...options, url: smtpUrl });
  return replyTo ? { ...mailer, sendMail: (mail) => mailer.sendMail({ replyTo, ...mail }) } : mailer;
}
