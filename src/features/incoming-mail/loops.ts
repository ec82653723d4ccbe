import { MailRefusal, OWN_MAIL, type ReceivedMail } from '#kernel/mail';

/** Most servers that a mail may have passed; more means a loop. RFC 5321 §6.3. */
const MAX_HOPS = 50;

/** Refuses mails that would loop: those that this server sent, and those that passed too many servers. */
export function assertNoLoop(mail: ReceivedMail): void {
  if (mail.header(OWN_MAIL.toLowerCase()) !== '') throw new MailRefusal('refused', 'a mail of this server came back');
  if (mail.hops > MAX_HOPS) throw new MailRefusal('refused', 'the mail went through too many servers');
}

/** Refuses automatic replies, which are not meant for the conversation. RFC 3834 §5, and headers of older programs. */
export function assertNoAnswerOfMachine(mail: ReceivedMail): void {
  const isAuto = /^auto-(replied|notified)/i.test(mail.header('auto-submitted'));
  const isOld = mail.header('x-autoreply') !== '' || mail.header('x-autorespond') !== '';
  const isReply = /^auto[_-]?reply/i.test(mail.header('precedence'));
  if (isAuto || isOld || isReply) throw new MailRefusal('refused', 'automatic answers are not taken');
}

/** Refuses automatic replies, and mails of mailing lists and programs. */
export function assertPersonal(mail: ReceivedMail): void {
  assertNoAnswerOfMachine(mail);
  const submitted = mail.header('auto-submitted');
  const isAuto = submitted !== '' && !/^no\b/i.test(submitted);
  const isBulk = /^(bulk|list|junk)/i.test(mail.header('precedence')) || mail.header('list-id') !== '';
  if (isAuto || isBulk) throw new MailRefusal('refused', 'mails of lists and programs are not taken here');
}
