import { type DatabaseName, databases } from './chosen-databases.ts';
import { startObjectStore } from './object-store.ts';
import { findObjectStoreProgram } from './object-store-program.ts';

/** Where a server stores its rows and its files. */
export interface Place {
  readonly database: DatabaseName;
  readonly files: 'a folder' | 'an object store';
}

/** An opened file store: the environment that names it, and its end. */
interface OpenedStore {
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

const program = await findObjectStoreProgram();

/** Each database of this run with files in a folder, and the first also with a real object store if there is one. */
export const places: readonly Place[] = [
  ...databases.map((database): Place => ({ database, files: 'a folder' })),
  ...databases
    .slice(0, program === undefined ? 0 : 1)
    .map((database): Place => ({ database, files: 'an object store' })),
];

/** Opens an empty file store of a place's kind. */
export async function openFileStore({ files }: Place): Promise<OpenedStore> {
  if (files === 'a folder') return { environment: {}, stop: () => Promise.resolve() };
  const store = await startObjectStore(program ?? '');
  return { environment: { ROOST_UPLOADS_URL: store.url('roost') }, stop: () => store.stop() };
}
