import type { RealmRef } from '#kernel/auth';

/** The server's own words in and about messages made from mails, in one language. See protocol/mail#receiving. */
interface MailWords {
  /** Topic of a mail without a subject. */
  readonly noSubject: string;
  readonly noText: string;
  readonly from: (author: string) => string;
  readonly leftOut: (file: string, why: string) => string;
  readonly moreLeftOut: (count: number) => string;
  /** `reason`, as a quotation, is what another server said. */
  readonly givenUp: (reason: string) => string;
}

const english: MailWords = {
  noSubject: '(no subject)',
  noText: '*(no text)*',
  from: (author) => `**From:** ${author}`,
  leftOut: (file, why) => `*(${file} was left out: ${why})*`,
  moreLeftOut: (count) => `*(${count} more files were left out)*`,
  givenUp: (reason) =>
    `Mails to your address come back, so no more about missed messages are sent to it. It was said:\n${reason}\nChange the address in your settings, or ask an administrator to try it again.`,
};

const german: MailWords = {
  noSubject: '(kein Betreff)',
  noText: '*(kein Text)*',
  from: (author) => `**Von:** ${author}`,
  leftOut: (file, why) => `*(${file} wurde weggelassen: ${why})*`,
  moreLeftOut: (count) =>
    `*(${count === 1 ? 'eine weitere Datei wurde' : `${count} weitere Dateien wurden`} weggelassen)*`,
  givenUp: (reason) =>
    `E-Mails an deine Adresse kommen zurück. Deshalb werden dorthin keine mehr über verpasste Nachrichten gesendet. Die Begründung war:\n${reason}\nÄndere die Adresse in deinen Einstellungen, oder bitte einen Administrator, es noch einmal zu versuchen.`,
};

/** Returns the texts in the organization's language; English takes the place of one that is not here. */
export function wordsOf({ language }: Pick<RealmRef, 'language'>): MailWords {
  return language === 'de' ? german : english;
}
