import { type FolderOptions, openFolder } from './folder.ts';
import type { Mailer } from './mail.ts';
import { openSmtp } from './smtp.ts';

/** What is handed in to send mails; without a mail server's URL they are written to the folder. */
export interface MailOptions extends FolderOptions {
  readonly smtpUrl?: string;
}

/** Opens the way that mails go: to the mail server, or into the folder. */
export function openMail({ smtpUrl, ...options }: MailOptions): Mailer {
  return smtpUrl === undefined ? openFolder(options) : openSmtp({ ...options, url: smtpUrl });
}
