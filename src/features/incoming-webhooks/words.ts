import type { RealmRef } from '#kernel/auth';

/** The text about what a bot could not post, in one language, in Markdown. See protocol/bots#incoming-webhooks. */
type Refused = (bot: string, service: string, why: string) => string;

const english: Refused = (bot, service, why) =>
  `Your bot ${bot} could not post what ${service} sent. The answer was:\n${why}`;

const german: Refused = (bot, service, why) =>
  `Dein Bot ${bot} konnte nicht schreiben, was ${service} gesendet hat. Die Antwort war:\n${why}`;

/** Returns the text in the organization's language; English takes the place of one that is not here. */
export function refusedIn({ language }: Pick<RealmRef, 'language'>): Refused {
  return language === 'de' ? german : english;
}
