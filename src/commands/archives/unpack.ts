import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Refusal } from '../refusal.ts';
import { inOwnFolder } from './own-folder.ts';
import { tarEntries } from './tar.ts';
import { zipEntries } from './zip.ts';
import { shownPath } from './shown-path.ts';
import { inTemporary } from './temporary.ts';

/**
 * Most files of an archive, most bytes when unpacked as a multiple of the archive's size, and the bytes that are
 * allowed in any case.
 */
const MAX_FILES = 1_000_000;
const MAX_RATIO = 200;
const MAX_SMALL = 100 * 2 ** 20;
/** Bytes of the disk that a file or folder takes at least, and counts as, besides its content. */
const BLOCK = 4096;

/** Unpacks an archive into a temporary folder while `use` runs; a folder is used directly. */
export async function unpacked(archive: string, use: (folder: string) => Promise<void>): Promise<void> {
  const stats = await stat(archive).catch(() => undefined);
  if (!stats) throw new Refusal(`there is no ${archive}`);
  if (stats.isDirectory()) return use(await rootOf(archive));
  await inOwnFolder(async (folder) => {
    await inTemporary(() => unpack(archive, stats.size, folder));
    await use(await rootOf(folder));
  });
}

async function unpack(archive: string, size: number, folder: string): Promise<void> {
  if (!/\.(tar\.gz|tgz|tar|zip)$/.test(archive)) throw new Refusal(`${archive} is no folder, .tar.gz, .tar or .zip`);
  const most = Math.max(MAX_SMALL, size * MAX_RATIO);
  const file = createReadStream(archive);
  const bytes = !archive.endsWith('gz') ? file : file.pipe(createGunzip());
  file.on('error', (error) => bytes.destroy(error));
  let files = 0;
  let total = 0;
  let at = '';
  try {
    for await (const { path, size: length, content } of archive.endsWith('.zip')
      ? zipEntries(archive, size)
      : tarEntries(upTo(bytes, most, archive))) {
      if (++files > MAX_FILES) throw new Refusal(`${archive} has more than ${MAX_FILES} files`);
      const target = join(folder, ...path);
      at = `: ${shownPath(path.join('/'))}`;
      total += length + BLOCK * (1 + (await makeFolders(dirname(target))));
      if (total > most) throw tooMuch(archive, most);
      await pipeline(Readable.from(content), createWriteStream(target, { flags: 'wx', mode: 0o600 }));
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('Z_')) throw new Refusal(`${archive} is damaged, or only its beginning${at}`);
    if (code === 'EEXIST' || code === 'ENOTDIR') throw new Refusal(`${archive} has two files of one name${at}`);
    throw error;
  } finally {
    file.destroy();
    bytes.destroy();
  }
}

/** Makes a folder and those that it lies in; returns how many there were not. */
async function makeFolders(folder: string): Promise<number> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  return first === undefined ? 0 : folder.slice(first.length).split(sep).length;
}

/** Passes on the bytes of a tar, `most` at most: folders, links and long names take time, although they are not files. */
async function* upTo(bytes: AsyncIterable<Uint8Array>, most: number, archive: string): AsyncGenerator<Uint8Array> {
  let left = most;
  for await (const piece of bytes) {
    left -= piece.length;
    if (left < 0) throw tooMuch(archive, most);
    yield piece;
  }
}

function tooMuch(archive: string, most: number): Refusal {
  return new Refusal(`${archive} unpacks to more than ${Math.round(most / 2 ** 20)} MiB`);
}

/** Archives often have a single folder at the top. */
async function rootOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  const [only] = entries.filter(({ name }) => !name.startsWith('.'));
  return entries.length === 1 && only?.isDirectory() ? join(folder, only.name) : folder;
}
