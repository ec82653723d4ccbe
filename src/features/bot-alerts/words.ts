import type { RealmRef } from '#kernel/auth';

/** The texts of alerts in one language, in Markdown. See protocol/messages#addresses. */
interface AlertWords {
  readonly missingId: (bot: string, id: number) => string;
  readonly missing: (bot: string, channel: string) => string;
  readonly deserted: (bot: string, channel: string) => string;
}

const english: AlertWords = {
  missingId: (bot, id) => `Your bot ${bot} sent a message to the channel with the ID ${id}, which does not exist.`,
  missing: (bot, channel) => `Your bot ${bot} sent a message to the channel ${channel}, which does not exist.`,
  deserted: (bot, channel) => `Your bot ${bot} sent a message to the channel ${channel}, which has no subscribers.`,
};

const german: AlertWords = {
  missingId: (bot, id) =>
    `Dein Bot ${bot} hat eine Nachricht an den Kanal mit der ID ${id} gesendet, den es nicht gibt.`,
  missing: (bot, channel) => `Dein Bot ${bot} hat eine Nachricht an den Kanal ${channel} gesendet, den es nicht gibt.`,
  deserted: (bot, channel) =>
    `Dein Bot ${bot} hat eine Nachricht an den Kanal ${channel} gesendet, den niemand abonniert hat.`,
};

/** Returns the texts in the organization's language; English takes the place of one that is not here. */
export function wordsOf({ language }: Pick<RealmRef, 'language'>): AlertWords {
  return language === 'de' ? german : english;
}
