import { fieldsIn } from '#kernel/text';
import { Entry } from '../entry.ts';
import type { ArchiveFiles } from '../source.ts';

/** The rows of a JSON file that is a list; none where there is no such file. */
export async function entriesOf(files: Pick<ArchiveFiles, 'json'>, path: string): Promise<readonly Entry[]> {
  const value = (await files.json(path)) ?? [];
  return new Entry(path, { rows: value }).list('rows').map((row, index) => new Entry(`${path}[${index}]`, row));
}

/** An object within a row; an empty one where there is none. */
export function partOf(entry: Entry, name: string): Entry {
  return new Entry(entry.placeOf(name), fieldsIn(entry.raw(name)));
}

/** The texts of a list; what is none is left out. */
export function textsIn(entry: Entry, name: string): readonly string[] {
  return entry.list(name).filter((value) => typeof value === 'string');
}

/** Returns the first text that is not blank. */
export function firstText(...texts: readonly (string | null)[]): string {
  return texts.find((text) => text !== null && text.trim() !== '')?.trim() ?? '';
}
