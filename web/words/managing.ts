// All texts, for views of settings; the first conversation is loaded without the settings' texts.
import { english } from './english/index.ts';
import { englishOfSettings } from './english/managing.ts';
import { type Reader, readerOf } from './words.ts';

const all = { ...english, ...englishOfSettings } as const;

export const t: Reader<typeof all>['t'] = readerOf(all).t;
