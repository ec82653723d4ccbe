export { FilesAway } from './away.ts';
export type { Files } from './files.ts';
export { isFileKey } from './keys.ts';
export { openFiles } from './open-files.ts';
export { s3AddressFault } from './s3-address.ts';
export { findReadableByOthers, makePrivate } from './private.ts';
