// All texts, for views that are loaded after the first conversation.
import { english } from './english/index.ts';
import { deferredEnglish } from './english/deferred.ts';
import { type Reader, readerOf } from './words.ts';

const all = { ...english, ...deferredEnglish } as const;

export const t: Reader<typeof all>['t'] = readerOf(all).t;
