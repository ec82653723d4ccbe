// Building and running the server.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { attached, programs, root } from './processes.mjs';
import { buildWeb, watchWeb } from './web.mjs';

const bundle = join(root, 'dist/main.js');
// What the bundle is made from; a change in any of them makes it stale.
const sources = [
  'src',
  'web',
  'package.json',
  'package-lock.json',
  'tools/run/application.mjs',
  'tools/run/spreads.mjs',
  'tools/run/web.mjs',
];

const lexerTables = 'src/kernel/markdown/code/lexer-tables';

function newestChange(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  // The folder's own time counts too: deleting a file changes nothing else.
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestChange(join(path, name))), stats.mtimeMs);
}

function isBuilt() {
  if (!existsSync(bundle)) return false;
  const builtAt = statSync(bundle).mtimeMs;
  return sources.every((source) => newestChange(join(root, source)) <= builtAt);
}

/** Writes beside and renames, so that a process that starts meanwhile never reads half a file. */
function writeWhole(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}

/** Escapes all letters but those of ASCII, in place of which V8 would keep the whole text in twice the room, 4 MiB more. */
function inAscii(text) {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Packages of hundreds of small files, which take longer to find than to run. See docs/decisions/0047. */
const BUNDLED = ['kysely', 'zod', 'htmlparser2'];

/** Names of the other packages, which stay outside of the bundle. See docs/decisions/0002. */
function packagesOutside() {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const outside = Object.keys(dependencies).filter((name) => !BUNDLED.includes(name));
  return outside.flatMap((name) => [name, `${name}/*`]);
}

/** Bundles src/main.ts into dist/main.js, what threads run beside it, and the web client. Resolves to the exit code. */
export async function build() {
  // Imported here, because it exists only after the installation.
  const esbuild = await import('esbuild');
  const { withQuickSpreads } = await import('./spreads.mjs');
  const options = {
    absWorkingDir: root,
    // The others are what threads run and what the pages are drawn with; the first finds them beside itself.
    entryPoints: [
      'src/main.ts',
      'src/kernel/markdown/formulas/draw-formulas.js',
      'src/kernel/markdown/code/highlight-code.js',
      'src/kernel/mail/inbound/parse-mail.js',
      'src/kernel/secretbox/lock-pushes.js',
      'src/features/single-sign-on/saml/verify-messages.js',
      'src/kernel/images/draw-images.js',
      ...['tokens', 'base', 'pages'].map((name) => `src/features/pages/${name}.css`),
    ],
    entryNames: '[name]',
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['source'],
    external: packagesOutside(),
    sourcemap: true,
    // For `roost`, the command of the npm package.
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'warning',
    write: false,
  };
  try {
    // Read by the thread that highlights code, one when it is needed.
    cpSync(join(root, lexerTables), join(root, 'dist/lexer-tables'), { recursive: true });
    // The server's bundle last: its age tells whether everything is built.
    const [{ outputFiles }] = await Promise.all([esbuild.build(options), buildWeb(esbuild)]);
    for (const { path, contents, text } of outputFiles)
      writeWhole(path, path.endsWith('.js') ? inAscii(withQuickSpreads(text)) : contents);
    return 0;
  } catch (error) {
    // Faults of the sources have been shown already.
    if (!('errors' in error)) throw error;
    return 1;
  } finally {
    // Its helper process would otherwise live as long as the server.
    await esbuild.stop();
  }
}

/**
 * Builds if needed and runs the server in this very process, so that signals sent to `npm start` reach it.
 * Everything after `--` goes to the command.
 */
export async function serve(command, args) {
  if (!isBuilt()) {
    const code = await build();
    if (code !== 0) return code;
  }
  // Stack traces name our sources, not lines of the bundle.
  process.setSourceMapsEnabled(true);
  process.argv = [process.execPath, bundle, command, ...args];
  await import(pathToFileURL(bundle).href);
  return undefined;
}

/** Runs the server from its sources and starts it again at every change; bundles the web client at every change of it. */
export async function dev(args) {
  const esbuild = await import('esbuild');
  await watchWeb(esbuild);
  try {
    return await attached([programs.tsx, 'watch', '--conditions=source', 'src/main.ts', 'serve', ...args]);
  } finally {
    await esbuild.stop();
  }
}

/** Runs the measurements of bench/. */
export function bench(args) {
  return attached([programs.tsx, '--conditions=source', 'bench/main.ts', ...args]);
}

/** Writes the pages of docs/ that are made from declarations. */
export function docs() {
  return attached([programs.tsx, '--conditions=source', 'tools/make-docs.ts']);
}

/** Minutes for which `npm run faults` breaks things, unless it is told. */
const FAULT_MINUTES = '10';

/** Breaks what processes need, again and again, and checks what clients were promised. */
export function faults([minutes = FAULT_MINUTES, only = '']) {
  return attached([programs.vitest, 'run', 'test/faults'], {
    ROOST_TEST_FAULTS_MINUTES: minutes,
    ROOST_TEST_FAULTS_ONLY: only,
  });
}

/** Takes each defence away in a copy of the project, and sees its test fail. */
export function defences(args) {
  return attached([programs.tsx, 'tools/defences/run.ts', ...args]);
}
