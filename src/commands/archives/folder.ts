import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Source } from '#features/imports';
import { Refusal } from '../refusal.ts';

/** Largest JSON file that is read: it is whole in memory. */
const MAX_JSON_BYTES = 400 * 2 ** 20;
const MESSAGES = /^messages-\d+\.json$/;

/** An archive that lies unpacked in a folder. Nothing outside of it is read, whatever its files say. */
export function folderSource(folder: string): Source & { readonly list: (path: string) => Promise<readonly string[]> } {
  const pathOf = (path: string) => {
    const parts = path.split('/');
    const isInside = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part));
    return isInside ? join(folder, ...parts) : undefined;
  };
  const sizeOf = async (path: string): Promise<number | undefined> => {
    const stats = await stat(path).catch(() => undefined);
    return stats?.isFile() ? stats.size : undefined;
  };
  return {
    json: async (path) => {
      const file = pathOf(path);
      const size = file === undefined ? undefined : await sizeOf(file);
      if (file === undefined || size === undefined) return undefined;
      if (size > MAX_JSON_BYTES) throw new Refusal(`${path} is larger than ${MAX_JSON_BYTES / 2 ** 20} MiB`);
      return parsed(path, await readFile(file, 'utf8'));
    },
    list: async (path) => {
      const place = pathOf(path);
      return place === undefined ? [] : await readdir(place).catch(() => []);
    },
    messageFiles: async () => (await readdir(folder)).filter((name) => MESSAGES.test(name)).toSorted(),
    open: async (path) => {
      const file = pathOf(path);
      return file === undefined || (await sizeOf(file)) === undefined ? undefined : createReadStream(file);
    },
  };
}

/** The value of a JSON text; what is wrong with it is said without repeating it. */
function parsed(path: string, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    throw new Refusal(`${path} is no JSON, or only its beginning`);
  }
}
