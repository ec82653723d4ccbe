// Messages of an archive: prepared, rendered and stored, file by file.
export { Gathered } from './gathered.ts';
export { prepareMessageFile, storeMessageFile } from './import-file.ts';
export { Emoji, importFileUses, importMessageParts } from './parts.ts';
export { type Filling, namesOf, prepare, type Prepared } from './prepare.ts';
export { importReading, storeMessages } from './store.ts';
