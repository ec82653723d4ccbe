import type { RealmRef } from '#kernel/auth';
import { lookUp } from '#kernel/lists';
import { english } from './english.ts';
import { german } from './german.ts';
import type { FirstDayWords } from './texts.ts';

/** Returns the texts in the organization's language; English takes the place of one that is not here. */
export function wordsOf({ language }: Pick<RealmRef, 'language'>): FirstDayWords {
  return language === 'de' ? german : english;
}

/** Returns the welcome bot's answer to a message, ignoring case and surrounding spaces; English keywords hold in all. */
export function answerTo(words: FirstDayWords, content: string): string {
  const keyword = content.trim().toLowerCase();
  return lookUp(words.answers, keyword) ?? lookUp(english.answers, keyword) ?? words.help;
}
