import type { RealmRef } from '#kernel/auth';
import { english } from './english.ts';
import { german } from './german.ts';
import type { NoticeWords } from './texts.ts';

export type { Kind, NoticeWords } from './texts.ts';

/** Returns the texts in the organization's language; English takes the place of one that is not here. */
export function wordsOf({ language }: Pick<RealmRef, 'language'>): NoticeWords {
  return language === 'de' ? german : english;
}
