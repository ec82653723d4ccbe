import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { dict, list, maybe, type SchemaOf, str, strictObject } from '#kernel/schema';

/** Where browsers get the built files. */
export const FILES_PATH = '/web/';

/** What was built, by file name. */
const manifestShape = strictObject({
  /** The module that starts the client. */
  script: str(),
  /** The service worker, which is served at an address of its own. */
  worker: str(),
  /** The script of the log-in pages that knows passkeys. */
  passkeys: maybe(str()),
  /** Modules that it imports without waiting. */
  preload: list(str()),
  style: str(),
  /** Style sheets that views ask for, by their name. */
  sheets: dict(str()),
  files: list(str()),
});

/** Names of the built files; undefined where the client has not been built. */
export type WebManifest = SchemaOf<typeof manifestShape>;

interface WebFile {
  readonly type: string;
  readonly encoding: 'br' | 'gzip' | undefined;
  readonly bytes: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.mp3': 'audio/mpeg',
};

/** Compressed variants in the order of preference: ending, and the encoding's name. */
const VARIANTS = [
  ['.br', 'br'],
  ['.gz', 'gzip'],
] as const;

/** Beside the bundle of the server, or in dist/ where the server runs from its sources. */
const folder = [new URL('web/', import.meta.url), new URL('../../../dist/web/', import.meta.url)].find((url) =>
  existsSync(new URL('manifest.json', url)),
);

let latest: { readonly changedAtMs: number; readonly manifest: WebManifest } | undefined;

/** The manifest as it is now: a build while the server runs is noticed. */
export async function webManifest(): Promise<WebManifest | undefined> {
  if (!folder) return undefined;
  const path = new URL('manifest.json', folder);
  const { mtimeMs } = await stat(path);
  if (latest?.changedAtMs !== mtimeMs) {
    const manifest = manifestShape.parse(JSON.parse(await readFile(path, 'utf8')));
    latest = { changedAtMs: mtimeMs, manifest };
  }
  return latest.manifest;
}

/** A file of the manifest, compressed where the browser takes that; undefined for any other name. */
export async function readWebFile(name: string, acceptEncoding: string): Promise<WebFile | undefined> {
  const manifest = await webManifest();
  if (!folder || !manifest?.files.includes(name)) return undefined;
  const type = TYPES[extname(name)] ?? 'application/octet-stream';
  for (const [ending, encoding] of VARIANTS) {
    if (!accepts(acceptEncoding, encoding)) continue;
    const bytes = await readIfThere(new URL(`${name}${ending}`, folder));
    if (bytes) return { type, encoding, bytes };
  }
  const bytes = await readIfThere(new URL(name, folder));
  return bytes && { type, encoding: undefined, bytes };
}

function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', quality = ''] = part.split(';').map((word) => word.trim().toLowerCase());
    return name === encoding && !/^q=0(?:\.0*)?$/.test(quality);
  });
}

async function readIfThere(path: URL): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
