import { createReadStream } from 'node:fs';
import { open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type ArchiveFiles, parsedJson, type Source } from '#features/imports';
import { Refusal } from '../refusal.ts';
import { openScratch } from './scratch.ts';

/** Largest JSON file that is read, in bytes; it is parsed in memory. */
const MAX_JSON_BYTES = 400 * 2 ** 20;
const MESSAGES = /^messages-\d+\.json$/;

/** An unpacked archive in a folder. Files outside of it are not read, whatever paths and symbolic links say. */
export function folderSource(folder: string): Source & ArchiveFiles {
  const root = realpath(folder).catch(() => folder);
  const pathOf = async (path: string): Promise<string | undefined> => {
    const parts = path.split('/');
    const isInside = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part));
    if (!isInside) return undefined;
    const real = await realpath(join(folder, ...parts)).catch(() => undefined);
    return real?.startsWith(`${await root}${sep}`) === true ? real : undefined;
  };
  const fileAt = async (path: string): Promise<{ readonly file: string; readonly size: number } | undefined> => {
    const file = await pathOf(path);
    const stats = file === undefined ? undefined : await stat(file).catch(() => undefined);
    return file !== undefined && stats?.isFile() ? { file, size: stats.size } : undefined;
  };
  return {
    json: async (path) => {
      const found = await fileAt(path);
      if (!found) return undefined;
      if (found.size > MAX_JSON_BYTES) throw new Refusal(`${path} is larger than ${MAX_JSON_BYTES / 2 ** 20} MiB`);
      return parsed(path, await readFile(found.file, 'utf8'));
    },
    has: async (path) => (await fileAt(path)) !== undefined,
    list: async (path) => {
      const place = path === '' ? folder : await pathOf(path);
      return place === undefined ? [] : (await readdir(place).catch((): string[] => [])).toSorted();
    },
    messageFiles: async () => (await readdir(folder)).filter((name) => MESSAGES.test(name)).toSorted(),
    open: async (path) => {
      const found = await fileAt(path);
      return found && createReadStream(found.file);
    },
    part: async (path, from, length) => {
      const found = await fileAt(path);
      if (!found) throw new Refusal(`there is no ${path} in the archive any more`);
      const handle = await open(found.file, 'r');
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from);
        return buffer.subarray(0, bytesRead);
      } finally {
        await handle.close();
      }
    },
    scratch: openScratch,
  };
}

/** Parses JSON; the error message does not quote the text. */
function parsed(path: string, text: string): unknown {
  const found = parsedJson(path, text);
  if (!found) throw new Refusal(`${path} is no JSON, or only its beginning`);
  return found.value;
}
