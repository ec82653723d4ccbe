// The compiler, and then the linter on what may have findings since it last found none, or on the files that are named.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dueFiles } from './lint/due.ts';
import { filesOfProgram } from './lint/programs.ts';
import { lintable } from './support/sources.ts';
import { attached, captured, programs } from './run/processes.mjs';

/** Where compiler and linter keep what they found last time. */
const MEMORY = 'node_modules/.cache/lint';
const CLEAN = `${MEMORY}/clean.json`;
/** What counts for every file. */
const SETTINGS = ['package-lock.json', '.oxlintrc.json', 'tsconfig.json', 'web/tsconfig.json'];
/** Above so many files all are looked at: a command line has an end. */
const MOST_NAMED = 400;

const notes = (program) => `${MEMORY}/${program}.json`;

/** Compiles a program, and resolves to its faults. Declarations are made because they tell what importers see of a file. */
async function faultsOf(program, folder) {
  const declarations = [
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--outDir',
    `${MEMORY}/${program}`,
  ];
  const remembered = ['--incremental', '--tsBuildInfoFile', notes(program)];
  const args = ['-p', folder, '--rootDir', '.', '--pretty', 'false', ...declarations, ...remembered];
  const { code, output } = await captured([programs.tsc, ...args]);
  return code === 0 ? '' : output;
}

/**
 * The faults of the web client's program that are in its own files. The sources of the server come along, because the
 * client's types are made from their declarations; what is wrong in them for a program that knows the DOM, too, is no fault.
 */
function ownFaults(output) {
  const lines = output.split('\n');
  const blockOf = (index) => (/^\s/.test(lines[index]) && index > 0 ? blockOf(index - 1) : lines[index]);
  const own = lines.filter((_, index) => blockOf(index).startsWith('web/'));
  // A compiler that fails without naming a fault has checked nothing.
  const named = lines.some((line) => /^(?:src|web|test)\/\S+\(\d+,\d+\): error TS/.test(line));
  return named ? own.join('\n') : output;
}

function lint(paths) {
  const named = paths.length > MOST_NAMED ? [] : paths;
  return paths.length === 0 ? 0 : attached([programs.oxlint, '--type-aware', '--quiet', ...named]);
}

mkdirSync(MEMORY, { recursive: true });
const [faults, webFaults] = await Promise.all([faultsOf('server', '.'), faultsOf('web', 'web').then(ownFaults)]);
process.stdout.write(faults + webFaults);

/** Lints what changed and what sees it, and remembers when that has no findings. Resolves to the exit code. */
async function lintDue() {
  const settings = createHash('sha256')
    .update(SETTINGS.map((path) => readFileSync(path, 'utf8')).join('\0'))
    .digest('hex');
  const clean = existsSync(CLEAN) ? JSON.parse(readFileSync(CLEAN, 'utf8')) : {};
  const files = { ...filesOfProgram('.', notes('web')), ...filesOfProgram('.', notes('server')) };
  const due = dueFiles(clean.settings === settings ? clean.files : {}, files);
  const code = await lint(lintable('.').filter((path) => due.has(path) || !(path in files)));
  if (code === 0) writeFileSync(CLEAN, JSON.stringify({ settings, files }));
  return code;
}

const named = process.argv.slice(2);
const code = await (named.length > 0 ? lint(named) : lintDue());
process.exitCode = code !== 0 || faults !== '' || webFaults !== '' ? 1 : 0;
