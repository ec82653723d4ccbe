import { worker as english } from '../words/english/worker.ts';
import { worker as german } from '../words/german/worker.ts';

/** Whether the page that registered the worker was German: the worker's address names every other language than English. */
export const isGerman = new URLSearchParams(globalThis.location?.search).get('language') === 'de';

/** The texts of notifications. */
export const words = isGerman ? german : english;
