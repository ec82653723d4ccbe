import type { deserialize as Deserialize } from 'bson';
import { Entry, ImportRefused } from '../entry.ts';
import { assertBounded } from '../json.ts';
import { linesOf } from '../neutral/index.ts';
import type { ArchiveFiles } from '../source.ts';

/** Largest record that MongoDB stores, with room for what a dump adds. */
const MAX_RECORD_BYTES = 17 * 2 ** 20;

/** How a file of an export as JSON ends. */
const ENDINGS = ['.json', 's.json'];

/** A record of a collection, and where its bytes are. */
export interface Stored {
  readonly entry: Entry;
  readonly place: string;
  readonly from: number;
  readonly bytes: number;
}

/** The records of a collection: of a dump, or of a JSON export with one record a line or one list. */
export async function* recordsOf(files: ArchiveFiles, folder: string, name: string): AsyncGenerator<Stored, void> {
  const bson = `${folder}${name}.bson`;
  if (await files.has(bson)) return yield* ofDump(files, bson);
  for (const path of ENDINGS.map((ending) => `${folder}${name}${ending}`))
    if (await files.has(path)) return yield* ofJson(files, path);
  // As scripts call it that export the collections one by one.
  if (name === 'users') yield* recordsOf(files, folder, 'rocketchat_users');
}

/** Whether the archive has a collection. */
export async function hasRecords(files: ArchiveFiles, folder: string, name: string): Promise<boolean> {
  for (const ending of ['.bson', ...ENDINGS]) if (await files.has(`${folder}${name}${ending}`)) return true;
  return false;
}

async function* ofDump(files: ArchiveFiles, path: string): AsyncGenerator<Stored, void> {
  const { deserialize } = await import('bson');
  let [held, from, number] = [Buffer.alloc(0), 0, 0];
  for await (const chunk of (await files.open(path)) ?? []) {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 4) {
      const bytes = held.readInt32LE(0);
      const place = `${path}, record ${number}`;
      if (bytes < 5 || bytes > MAX_RECORD_BYTES) throw new ImportRefused(`${place} is no BSON`);
      if (held.length < bytes) break;
      yield { entry: new Entry(place, plain(place, held.subarray(0, bytes), deserialize)), place, from, bytes };
      held = held.subarray(bytes);
      from += bytes;
      number++;
    }
  }
  if (held.length > 0) throw new ImportRefused(`${path}, record ${number} is cut off`);
}

/** The record of a dump at a place that was found before. */
export async function recordAt(files: ArchiveFiles, path: string, from: number, bytes: number): Promise<Entry> {
  const { deserialize } = await import('bson');
  const place = `${path}, byte ${from}`;
  return new Entry(place, plain(place, await files.part(path, from, bytes), deserialize));
}

function plain(place: string, bytes: Uint8Array, deserialize: typeof Deserialize): unknown {
  try {
    return ofJavaScript(deserialize(bytes, { promoteBuffers: true }));
  } catch {
    throw new ImportRefused(`${place} is no BSON`);
  }
}

async function* ofJson(files: ArchiveFiles, path: string): AsyncGenerator<Stored, void> {
  const { EJSON } = await import('bson');
  const parse = (place: string, text: string): unknown => {
    assertBounded(place, text);
    try {
      return ofJavaScript(EJSON.parse(text));
    } catch {
      throw new ImportRefused(`${place} is no JSON, or only its beginning`);
    }
  };
  // One list for all: it is read as a whole.
  const begin = Buffer.from(await files.part(path, 0, 64)).toString('utf8');
  if (begin.trimStart().startsWith('[')) return yield* ofList(files, path, parse);
  for await (const line of linesOf(files, path)) {
    const text = line.bytes.toString('utf8');
    if (text.trim() === '') continue;
    const place = `${path}, line ${line.number}`;
    yield { entry: new Entry(place, parse(place, text)), place, from: line.from, bytes: line.bytes.length };
  }
}

async function* ofList(
  files: ArchiveFiles,
  path: string,
  parse: (place: string, text: string) => unknown,
): AsyncGenerator<Stored, void> {
  const rows = parse(path, JSON.stringify((await files.json(path)) ?? []));
  for (const [index, row] of (Array.isArray(rows) ? rows : []).entries())
    yield { entry: new Entry(`${path}[${index}]`, row), place: `${path}[${index}]`, from: 0, bytes: 0 };
}

/** Values as other archives have them: times in seconds, IDs as texts. */
function ofJavaScript(value: unknown): unknown {
  if (value instanceof Date) return value.getTime() / 1000;
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ofJavaScript);
  // An ObjectId writes itself as its digits.
  if ('toHexString' in value) return JSON.stringify(value).slice(1, -1);
  if ('_bsontype' in value) return 'buffer' in value ? value.buffer : Number(value);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, ofJavaScript(part)]));
}
