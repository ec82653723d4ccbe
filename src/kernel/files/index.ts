export type { Files } from './files.ts';
export { isFileKey } from './keys.ts';
export { openFiles } from './open-files.ts';
export { findReadableByOthers, makePrivate } from './private.ts';
