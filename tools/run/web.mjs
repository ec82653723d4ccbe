// Bundling the web client into dist/web: content-hashed names, compressed at build time, and a manifest for the server.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { root } from './processes.mjs';

const folder = join(root, 'dist/web');
const ENTRY = 'web/app/main.tsx';
const WORKER = 'web/worker/main.ts';
const PASSKEYS = 'web/passkeys/main.ts';
const SHEET = 'web/ui/main.css';
/** Style sheets that are loaded with a view that needs them. */
const SHEETS = 'web/ui/sheets';
/** Files that compress already, and are sent as they are. */
const COMPRESSED = /\.(?:png|webp|avif|woff2|mp3|ogg)$/;

/**
 * What slices and the kernel hold does nothing when it is loaded: what the client does not use of it is left out. Else a rule that
 * asks for a role would bring the schemas that stand behind the same door, with their library of 80 KB.
 */
const withoutEffects = {
  name: 'without effects',
  setup: (build) =>
    build.onResolve({ filter: /^#(?:kernel|features)\/|^\./ }, async ({ path, pluginData, ...from }) => {
      const isOurs = !path.startsWith('.') || from.importer.startsWith(join(root, 'src/'));
      if (pluginData === withoutEffects || !isOurs) return undefined;
      const { kind, importer, resolveDir } = from;
      const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: withoutEffects });
      return { ...found, sideEffects: false };
    }),
};

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

function sheets() {
  const named = readdirSync(join(root, SHEETS), { withFileTypes: true }).filter(({ name }) => name.endsWith('.css'));
  return named.map(({ name }) => `${SHEETS}/${name}`);
}

/** The service worker, or the script of the log-in pages: one file, which imports nothing when it runs. */
function singleOptions(isRelease, entry, name) {
  return {
    ...options(isRelease),
    entryPoints: [{ in: entry, out: name }],
    splitting: false,
    format: 'iife',
    sourcemap: false,
  };
}

function options(isRelease) {
  return {
    absWorkingDir: root,
    entryPoints: [ENTRY, SHEET, ...sheets()],
    outdir: 'dist/web',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    publicPath: '/web/',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    charset: 'utf8',
    // light-dark(), oklch() and :has(): docs/decisions/0018.
    target: ['chrome123', 'firefox128', 'safari17.5'],
    conditions: ['source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'file', '.png': 'file', '.webp': 'file', '.mp3': 'file' },
    define: { 'globalThis.DEVELOPMENT': JSON.stringify(!isRelease) },
    minify: isRelease,
    sourcemap: isRelease ? false : 'linked',
    metafile: true,
    plugins: [withoutEffects],
    logLevel: 'warning',
    write: false,
  };
}

/** Names of the chunks that a file needs before it runs: all that it imports, and they import, without waiting. */
function needed(outputs, path, found = new Set()) {
  for (const { path: next, kind } of outputs[path]?.imports ?? []) {
    if (kind !== 'import-statement' || found.has(next)) continue;
    found.add(next);
    needed(outputs, next, found);
  }
  return found;
}

function manifestOf({ outputs }, worker, passkeys) {
  const entry = (source) => Object.keys(outputs).find((path) => outputs[path].entryPoint === source);
  const main = entry(ENTRY);
  const named = sheets().map((source) => [basename(source, '.css'), basename(entry(source))]);
  return {
    script: basename(main),
    worker: basename(Object.keys(worker.outputs)[0]),
    passkeys: basename(Object.keys(passkeys.outputs)[0]),
    preload: [...needed(outputs, main)].map((path) => basename(path)),
    style: basename(entry(SHEET)),
    sheets: Object.fromEntries(named),
    files: [outputs, worker.outputs, passkeys.outputs]
      .flatMap((made) => Object.keys(made))
      .map((path) => basename(path)),
  };
}

async function written({ path, contents }, isRelease) {
  const variants = [[path, contents]];
  if (isRelease && !COMPRESSED.test(path)) {
    const text = {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: contents.length },
    };
    const [small, older] = await Promise.all([brotli(contents, text), zip(contents, { level: 9 })]);
    variants.push([`${path}.br`, small], [`${path}.gz`, older]);
  }
  for (const [name, bytes] of variants) writeBeside(name, bytes);
  return variants.map(([name]) => basename(name));
}

/** Renames what is whole, so that a server that reads meanwhile never sees half a file. */
function writeBeside(path, bytes) {
  writeFileSync(`${path}.${process.pid}`, bytes);
  renameSync(`${path}.${process.pid}`, path);
}

async function writeAll({ outputFiles, metafile }, isRelease) {
  mkdirSync(folder, { recursive: true });
  const esbuild = await import('esbuild');
  const worker = await esbuild.build(singleOptions(isRelease, WORKER, 'worker'));
  const passkeys = await esbuild.build(singleOptions(isRelease, PASSKEYS, 'passkeys'));
  const files = [...outputFiles, ...worker.outputFiles, ...passkeys.outputFiles];
  const names = await Promise.all(files.map((file) => written(file, isRelease)));
  // Last, because it names the others.
  writeBeside(join(folder, 'manifest.json'), JSON.stringify(manifestOf(metafile, worker.metafile, passkeys.metafile)));
  const current = new Set([...names.flat(), 'manifest.json']);
  // While developing, open pages may still ask for the chunks that they were built with.
  if (isRelease) for (const name of readdirSync(folder)) if (!current.has(name)) rmSync(join(folder, name));
}

/** Bundles the client for a release. */
export async function buildWeb(esbuild) {
  await writeAll(await esbuild.build(options(true)), true);
}

/** Bundles the client now and at every change, without making it small. Resolves when the first bundle is there. */
export async function watchWeb(esbuild) {
  const writer = {
    name: 'write',
    setup: (build) => build.onEnd((result) => (result.errors.length === 0 ? writeAll(result, false) : undefined)),
  };
  rmSync(folder, { recursive: true, force: true });
  const context = await esbuild.context({ ...options(false), plugins: [withoutEffects, writer] });
  await context.rebuild().catch(() => undefined);
  await context.watch();
}
