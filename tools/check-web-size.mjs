// What a browser loads until the first message is visible, compressed, against its bounds (docs/web-client.md).
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run/processes.mjs';
import { buildWeb } from './run/web.mjs';

/** Bytes of scripts and of styles, and requests, until the first message is visible; and of all scripts, which a browser keeps. */
const MAX_ALL = 160 * 1024;
/** Bytes of all texts of one more language, which only its readers load. */
const MAX_LANGUAGE = 20 * 1024;
/** Bytes of the server's error messages in that language, which come with the first of them. */
const MAX_REFUSALS = 10 * 1024;
const MAX_SCRIPT = 90 * 1024;
const MAX_STYLE = 20 * 1024;
const MAX_REQUESTS = 8;
/** Requests besides scripts and styles: the page, registering, messages. */
const OTHER_REQUESTS = 3;

const folder = join(root, 'dist/web');
const esbuild = await import('esbuild');
await buildWeb(esbuild);
await esbuild.stop();

const { script, preload, style, files, worker, passkeys } = JSON.parse(
  readFileSync(join(folder, 'manifest.json'), 'utf8'),
);
const sizeOf = (name) => statSync(join(folder, `${name}.br`)).size;
const scripts = [script, ...preload];
/** Their names are those of the files in web/words/german; the service worker stores them for their readers only. */
const languages = files.filter((name) => /^german(?:-settings)?-\w+\.js$/.test(name));
const refusals = files.filter((name) => /^german-refusals-\w+\.js$/.test(name));
const apart = new Set([worker, passkeys, ...languages, ...refusals]);
const all = files.filter((name) => name.endsWith('.js') && !apart.has(name));
const total = (names) => names.reduce((sum, name) => sum + sizeOf(name), 0);
const rows = [
  ['script', total(scripts), MAX_SCRIPT],
  ['all', total(all), MAX_ALL],
  ['language', total(languages), MAX_LANGUAGE],
  ['refusals', total(refusals), MAX_REFUSALS],
  ['style', sizeOf(style), MAX_STYLE],
  ['requests', scripts.length + 1 + OTHER_REQUESTS, MAX_REQUESTS],
];
for (const [name, size, most] of rows) process.stdout.write(`${name.padEnd(10)}${size} of ${most}\n`);
process.exitCode = rows.every(([, size, most]) => size <= most) ? 0 : 1;
