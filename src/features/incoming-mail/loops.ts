import { MailRefusal, OWN_MAIL, type ReceivedMail } from '#kernel/mail';

/** Most servers that a mail may have passed; more means a loop. RFC 5321 §6.3. */
const MAX_HOPS = 50;

/** Refuses mails that would loop: those that this server sent, and those that passed too many servers. */
export function assertNoLoop(mail: ReceivedMail): void {
  if (mail.fields(OWN_MAIL.toLowerCase()).length > 0)
    throw new MailRefusal('refused', 'a mail of this server came back');
  if (mail.hops > MAX_HOPS) throw new MailRefusal('refused', 'the mail went through too many servers');
}

/** Refuses automatic replies, which are not meant for the conversation. RFC 3834 §5, and headers of older programs. */
export function assertNoAnswerOfMachine(mail: ReceivedMail): void {
  const isAuto = isAny(mail, 'auto-submitted', /^auto-(replied|notified)/i);
  const isOld = isAny(mail, 'x-autoreply', /./) || isAny(mail, 'x-autorespond', /./);
  const isReply = isAny(mail, 'precedence', /^auto[_-]?reply/i);
  if (isAuto || isOld || isReply) throw new MailRefusal('refused', 'automatic answers are not taken');
}

/** Refuses automatic replies, and mails of mailing lists and programs. */
export function assertPersonal(mail: ReceivedMail): void {
  assertNoAnswerOfMachine(mail);
  const isAuto = isAny(mail, 'auto-submitted', /^(?!no\b)/i);
  const isBulk = isAny(mail, 'precedence', /^(bulk|list|junk)/i) || isAny(mail, 'list-id', /./);
  if (isAuto || isBulk) throw new MailRefusal('refused', 'mails of lists and programs are not taken here');
}

/** Whether any field of a name is like this: a server on the way may have added another one. */
function isAny(mail: ReceivedMail, name: string, pattern: RegExp): boolean {
  return mail.fields(name).some((value) => pattern.test(value));
}
