export type { WrittenMail } from './folder.ts';
export { type Mail, type Mailer, MailFault } from './mail.ts';
export { isMailAddress } from './message.ts';
export { openMail } from './open-mail.ts';
export { tryEnvelope } from './envelope.ts';
export { sendersOf } from './sender.ts';
