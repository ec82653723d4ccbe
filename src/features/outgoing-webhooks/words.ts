import type { RealmRef } from '#kernel/auth';
import type { OutboundReason } from '#kernel/outbound';

/** The texts about calls that have failed, in one language, in Markdown. See protocol/bots#outgoing-webhooks. */
interface CallWords {
  /** `message` is the address of the message that called the bot, `fault` one of the texts below. */
  readonly toOwner: (message: string, bot: string, fault: string) => string;
  readonly toCaller: (message: string, bot: string, fault: string) => string;
  readonly reasons: Readonly<Record<OutboundReason, string>>;
  readonly onlyChannels: string;
  readonly status: (status: number) => string;
  readonly notAnObject: string;
  readonly notPosted: (why: string) => string;
}

/** Says why a call has failed in the language of the texts. */
export type Fault = (words: CallWords) => string;

export const english: CallWords = {
  toOwner: (message, bot, fault) =>
    `[A message](${message}) called the outgoing webhook of your bot ${bot}, and ${fault}.`,
  toCaller: (message, bot, fault) => `[Your command](${message}) did not reach the bot ${bot}: ${fault}.`,
  reasons: {
    address: 'its address is not one that can be called',
    forbidden: 'its address is not on the public Internet',
    name: 'its host is not known',
    redirects: 'it leads to another address',
    size: 'its answer was too large',
    time: 'it did not answer in time',
    encoding: 'its answer could not be read',
    network: 'it could not be reached',
  },
  onlyChannels: 'Slack-like webhooks know no direct messages',
  status: (status) => `it answered with status ${status}`,
  notAnObject: 'its answer was not a JSON object',
  notPosted: (why) => `its answer could not be posted: ${why}`,
};

const german: CallWords = {
  toOwner: (message, bot, fault) =>
    `[Eine Nachricht](${message}) hat den ausgehenden Webhook deines Bots ${bot} aufgerufen: ${fault}.`,
  toCaller: (message, bot, fault) => `[Dein Befehl](${message}) hat den Bot ${bot} nicht erreicht: ${fault}.`,
  reasons: {
    address: 'seine Adresse lässt sich nicht aufrufen',
    forbidden: 'seine Adresse liegt nicht im öffentlichen Internet',
    name: 'sein Server ist nicht bekannt',
    redirects: 'er leitet auf eine andere Adresse um',
    size: 'seine Antwort war zu groß',
    time: 'er hat nicht rechtzeitig geantwortet',
    encoding: 'seine Antwort war nicht lesbar',
    network: 'er war nicht erreichbar',
  },
  onlyChannels: 'Webhooks nach der Art von Slack kennen keine Direktnachrichten',
  status: (status) => `er hat mit dem Status ${status} geantwortet`,
  notAnObject: 'seine Antwort war kein JSON-Objekt',
  notPosted: (why) => `seine Antwort wurde nicht angenommen: ${why}`,
};

/** Returns the texts in the organization's language; English takes the place of one that is not here. */
export function wordsOf({ language }: Pick<RealmRef, 'language'>): CallWords {
  return language === 'de' ? german : english;
}
