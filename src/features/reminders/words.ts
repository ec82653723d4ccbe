import type { RealmRef } from '#kernel/auth';

/** The texts of reminders in one language, in Markdown. See protocol/saved#reminders. */
interface ReminderWords {
  /** The author of a message whom the owner of the reminder may not know. */
  readonly somebody: string;
  /** What stands at the end of a message that is quoted in part. */
  readonly truncated: string;
  /** `address` leads to the message. */
  readonly reminder: (address: string, author: string) => string;
  /** Takes the place of a message that the owner can no longer read. */
  readonly gone: string;
  readonly note: string;
}

const english: ReminderWords = {
  somebody: 'somebody',
  truncated: '\n[message truncated]',
  reminder: (address, author) => `You asked to be reminded of this [message](${address}) by ${author}:`,
  gone: 'You asked to be reminded of a message that is no longer there for you.',
  note: 'Note:',
};

const german: ReminderWords = {
  somebody: 'jemandem',
  truncated: '\n[Nachricht gekürzt]',
  reminder: (address, author) => `Du wolltest an diese [Nachricht](${address}) von ${author} erinnert werden:`,
  gone: 'Du wolltest an eine Nachricht erinnert werden, die du nicht mehr lesen kannst.',
  note: 'Notiz:',
};

/** Returns the texts in the organization's language; English takes the place of one that is not here. */
export function wordsOf({ language }: Pick<RealmRef, 'language'>): ReminderWords {
  return language === 'de' ? german : english;
}
