import type { Entry } from '#kernel/text';
import { signal } from '@preact/signals';

/** Languages of the client, by their codes in `default_language`. */
export const LANGUAGES = ['en', 'de'] as const;
type Language = (typeof LANGUAGES)[number];
/** Locales in which dates and numbers are written. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

interface Spoken {
  readonly language: Language;
  /** Texts that replace the English ones. */
  readonly texts: Readonly<Partial<Record<string, Entry>>>;
}

/** What shows a text or a date while it renders is drawn again when this changes. */
export const spoken = signal<Spoken>({ language: 'en', texts: {} });

let wanted: Language = 'en';

/** Returns the language of the texts that are shown. */
export function language(): Language {
  return spoken.value.language;
}

/** Returns the locale of dates and numbers. */
export function locale(): string {
  return LOCALES[language()];
}

/**
 * Whether times are written with "am" and "pm" in the language. Where they never are, the setting that asks for it is
 * only the one that everybody begins with.
 */
export function has12Hours(): boolean {
  return language() === 'en';
}

/**
 * Changes the language of the page. Resolves when the texts of conversations are there; those of settings follow.
 * English takes the place of a language that is unknown or cannot be loaded.
 */
export async function speak(code: string | undefined): Promise<void> {
  const chosen = LANGUAGES.find((one) => one === code) ?? 'en';
  if (chosen === wanted) return;
  wanted = chosen;
  let texts = {};
  const show = (more: object) => {
    if (wanted !== chosen) return;
    texts = { ...texts, ...more };
    spoken.value = { language: chosen, texts };
  };
  if (chosen === 'en') return show({});
  try {
    show((await import('./german/german.ts')).german);
  } catch {
    if (wanted === chosen) wanted = language();
    return;
  }
  import('./german/german-settings.ts').then(
    ({ germanOfSettings }) => show(germanOfSettings),
    () => undefined,
  );
}
