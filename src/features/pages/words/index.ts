import { type Html, html } from '#kernel/html';
import { refusalIn } from '#kernel/refusals';
import { type Entry, type Given, isolated, piecesOf } from '#kernel/text';
import { english } from './english/index.ts';
import { german } from './german/index.ts';
import { type Language, languageOf, type Reader } from './language.ts';

export type { Language } from './language.ts';

type Texts = typeof english;
export type TextKey = keyof Texts;

/** The texts of a page in the language of its reader. */
export interface Words {
  readonly language: Language;
  /** Returns the text of a key with its values filled in. */
  readonly t: <Key extends TextKey>(key: Key, ...given: Given<Texts[Key], string | number>) => string;
  /** Returns the text of a key with elements filled in. */
  readonly rich: <Key extends TextKey>(key: Key, ...given: Given<Texts[Key], Html | string>) => Html;
  /** Formats a time in UTC, because the server does not know the browser's time zone. */
  readonly moment: (seconds: number) => string;
  /** Returns a refusal in the reader's language; one that is not known there stays as it is. */
  readonly refusal: <Message extends string | undefined>(message: Message) => Message | string;
}

const CATALOGUES: Readonly<Record<Language, Readonly<Record<TextKey, Entry>>>> = { en: english, de: german };

const formatIn = (locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const FORMATS: Readonly<Record<Language, Intl.DateTimeFormat>> = { en: formatIn('en-GB'), de: formatIn('de-DE') };

/** Returns the texts for the reader of a page. */
export function wordsFor(reader: Reader): Words {
  const language = languageOf(reader);
  const texts = CATALOGUES[language];
  return {
    language,
    t: (key, ...given) => filled(texts[key], given[0] ?? {}),
    rich: (key, ...given) => elements(texts[key], given[0] ?? {}),
    moment: (seconds) => `${FORMATS[language].format(seconds * 1000)} UTC`,
    refusal: (message) => message && refusalIn(language, message),
  };
}

type Values<Value> = Readonly<Partial<Record<string, Value>>>;

function filled(entry: Entry, values: Values<string | number>): string {
  return piecesOf(formOf(entry, values['count']), (name) => isolated(values[name])).join('');
}

function elements(entry: Entry, values: Values<Html | string>): Html {
  const pieces = piecesOf(formOf(entry, values['count']), (name) => isolated(values[name]));
  return html`${pieces.map((piece) => html`${piece}`)}`;
}

function formOf(entry: Entry, count: unknown): string {
  if (typeof entry === 'string') return entry;
  return count === 1 ? entry.one : entry.other;
}
