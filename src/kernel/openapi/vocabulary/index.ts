import type { Param } from '#kernel/endpoint';
import { accepts } from '#kernel/schema';
import { appWords } from './apps.ts';
import { channelWords } from './channels.ts';
import { messageWords } from './messages.ts';
import { organizationWords } from './organization.ts';
import { peopleWords } from './people.ts';
import { permissionWords } from './permissions.ts';
import { settingWords } from './settings.ts';
import type { Word } from './word.ts';

const areas = [appWords, channelWords, messageWords, organizationWords, peopleWords, permissionWords, settingWords];

/** Meanings of all parameters, by name, for declarations without a description of their own. */
export const vocabulary: ReadonlyMap<string, Word> = new Map(areas.flatMap(Object.entries<Word>));

/** What the documentation says about a parameter. */
export interface Described {
  readonly doc: string;
  /** A value that the parameter's schema accepts; undefined for files. */
  readonly example: unknown;
}

/**
 * Returns the meaning of a parameter, from its declaration or else by its name, and an example. Booleans need no
 * example of their own: `true` is shown.
 */
export function described(name: string, param: Param): Described {
  const [doc, ...examples] = vocabulary.get(name) ?? [''];
  const example = [...examples, true].find((value) => fits(param, value));
  return { doc: param.doc === '' ? doc : param.doc, example };
}

/** Whether a value can be sent as the parameter. */
export function fits(param: Param, value: unknown): boolean {
  if (param.encoding === 'file') return value === undefined;
  return accepts(param.schema, value);
}
