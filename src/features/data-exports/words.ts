import type { RealmRef } from '#kernel/auth';

/** The texts about an export that has ended, in one language, in Markdown. See protocol/organizations#exports. */
interface ExportWords {
  readonly failed: string;
  readonly ready: (url: string) => string;
}

const english: ExportWords = {
  failed: 'The export of the data of this organization that you asked for has failed.',
  ready: (url) => `The export of the data of this organization that you asked for is ready: [download it](${url}).`,
};

const german: ExportWords = {
  failed: 'Der Export der Daten dieser Organisation, den du gestartet hast, ist fehlgeschlagen.',
  ready: (url) =>
    `Der Export der Daten dieser Organisation, den du gestartet hast, ist fertig: [herunterladen](${url}).`,
};

/** Returns the texts in the organization's language; English takes the place of one that is not here. */
export function wordsOf({ language }: Pick<RealmRef, 'language'>): ExportWords {
  return language === 'de' ? german : english;
}
