export type { WrittenMail } from './folder.ts';
export { type Mail, type Mailbox, type Mailer, MailFault } from './mail.ts';
export { isMailAddress } from './message.ts';
export { type MailOptions, openMail } from './open-mail.ts';
