import { REPORT_NAMES, type ReportReason } from '#features/realm-settings';
import type { RealmRef } from '#kernel/auth';

/** The texts of reports in one language, in Markdown. See protocol/reactions#reports. */
export interface ReportWords {
  readonly topic: (name: string) => string;
  readonly inChannel: (topic: string) => string;
  readonly direct: string;
  /** `address` leads to the message of `sender`, who is reported. */
  readonly reported: (by: string, address: string, sender: string, where: string) => string;
  readonly reason: string;
  readonly reasons: Readonly<Record<ReportReason, string>>;
  readonly explanation: string;
  readonly message: string;
}

const english: ReportWords = {
  topic: (name) => `Reports about ${name}`,
  inChannel: (topic) => `in ${topic}`,
  direct: 'among direct messages',
  reported: (by, address, sender, where) => `${by} reported [a message](${address}) of ${sender} ${where}.`,
  reason: 'Reason:',
  reasons: REPORT_NAMES,
  explanation: 'Explanation:',
  message: 'Message:',
};

const german: ReportWords = {
  topic: (name) => `Meldungen über ${name}`,
  inChannel: (topic) => `in ${topic}`,
  direct: 'unter den Direktnachrichten',
  reported: (by, address, sender, where) => `${by} hat [eine Nachricht](${address}) von ${sender} ${where} gemeldet.`,
  reason: 'Grund:',
  reasons: {
    spam: 'Spam',
    harassment: 'Belästigung',
    inappropriate: 'Unangemessener Inhalt',
    norms: 'Verstoß gegen die Regeln der Gemeinschaft',
    other: 'Anderer Grund',
  },
  explanation: 'Erklärung:',
  message: 'Nachricht:',
};

/** Returns the texts in the organization's language; English takes the place of one that is not here. */
export function wordsOf({ language }: Pick<RealmRef, 'language'>): ReportWords {
  return language === 'de' ? german : english;
}
