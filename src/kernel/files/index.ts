export type { ByteRange, ByteSource, Files, ListedFile, OpenedFile } from './files.ts';
export { RangeUnsatisfiable } from './files.ts';
export { assertFileKey, isFileKey, MAX_KEY_BYTES, MAX_KEY_PART_BYTES, UnsafeFileKey } from './keys.ts';
export { type FilesOptions, openFiles } from './open-files.ts';
export type { S3Credentials } from './s3-address.ts';
