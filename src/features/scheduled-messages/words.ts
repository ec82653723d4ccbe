import type { RealmRef } from '#kernel/auth';

/** The texts about a message that could not be sent, in one language, in Markdown. See protocol/saved#delivery. */
interface FailureWords {
  /** A channel whose name the owner may not know. */
  readonly channel: string;
  /** People whom the owner may not know. */
  readonly people: string;
  readonly failed: (time: string, place: string, reason: string) => string;
}

const english: FailureWords = {
  channel: 'a channel',
  people: 'people',
  failed: (time, place, reason) =>
    `The message you scheduled for ${time} to ${place} could not be sent: ${reason}\n\n[View scheduled messages](#scheduled)`,
};

const german: FailureWords = {
  channel: 'einen Kanal',
  people: 'Personen',
  failed: (time, place, reason) =>
    `Deine für ${time} geplante Nachricht an ${place} konnte nicht gesendet werden: ${reason}\n\n[Geplante Nachrichten ansehen](#scheduled)`,
};

/** Returns the texts in the organization's language; English takes the place of one that is not here. */
export function wordsOf({ language }: Pick<RealmRef, 'language'>): FailureWords {
  return language === 'de' ? german : english;
}
