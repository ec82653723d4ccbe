import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const REMAKE = 'make it anew as tools/examples/README.md says';

/** The worked examples of CONTRIBUTING: most files of each, and those outside of one folder that it may touch. */
const EXAMPLES = [
  { patch: 'organization-setting', atMost: 4, outside: undefined },
  {
    patch: 'pinned-messages',
    atMost: 10,
    outside: [/^src\/features\.ts$/, /^src\/migrations\/[\w-]+\.ts$/, /^docs\/protocol\/saved\.md$/],
  },
  { patch: 'inline-markdown', atMost: 3, outside: undefined },
] as const;

/** What is run in the copy: the tests of the examples, and those that hold declarations to the protocol. */
const TESTS = [
  'src/features/pins',
  'src/features/typing',
  'src/features/realm-settings/changeable.test.ts',
  'src/kernel/markdown/inline',
  'test/wire/events.test.ts',
  'test/wire/parameters.test.ts',
  'test/wire/register.test.ts',
];

let copy: string;
/** Files that the examples touch. */
const touched = new Set<string>();
const run = promisify(execFile);

/** Runs a program in the copy; throws with what it wrote. */
async function inCopy(program: string, ...args: readonly string[]) {
  const env = { ...process.env, ROOST_TEST_DATABASES: 'sqlite' };
  const ended = run(program, args, { cwd: copy, env, timeout: 900_000, maxBuffer: 2 ** 25 });
  const { stdout } = await ended.catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${program} ${args.join(' ')}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
  });
  return stdout;
}

/** Copies what git knows of the project, without what is built; packages are those of the project. */
async function copyProject() {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 2 ** 25,
  });
  const files = stdout.split('\0').filter((file) => file !== '');
  const folders = new Set(files.map((file) => dirname(join(copy, file))));
  await Promise.all([...folders].map((folder) => mkdir(folder, { recursive: true })));
  // A file that was deleted and not committed is still known.
  await Promise.all(files.map((file) => cp(join(root, file), join(copy, file)).catch(() => undefined)));
  await mkdir(join(copy, 'node_modules/.cache'), { recursive: true });
  const packages = (await readdir(join(root, 'node_modules'))).filter((name) => !/^\.(?:cache|vite)/.test(name));
  await Promise.all(
    packages.map((name) => symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name))),
  );
  const known = 'node_modules/.cache/lint';
  await cp(join(root, known), join(copy, known), { recursive: true }).catch(() => undefined);
  await inCopy('git', 'init', '--quiet');
}

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'roost-examples-'));
  await copyProject();
});
afterAll(() => rm(copy, { recursive: true, force: true }));

describe('the worked examples of CONTRIBUTING', () => {
  it.each(EXAMPLES)('$patch touches at most $atMost files, and applies', async ({ patch, atMost, outside }) => {
    const path = `tools/examples/${patch}.patch`;
    const files = (await inCopy('git', 'apply', '--numstat', path)).trim().split('\n');
    const names = files.map((line) => line.split('\t').at(-1) ?? '');
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) touched.add(name);
    expect(names.length).toBeLessThanOrEqual(atMost);
    const inside = names.filter((name) => !outside?.some((allowed) => allowed.test(name)));
    if (outside) expect([...new Set(inside.map((name) => dirname(name)))]).toHaveLength(1);
    await inCopy('git', 'apply', '-C1', path).catch((error: Error) => {
      throw new Error(`${patch}.patch does not apply any more: ${REMAKE}.\n${error.message}`);
    });
  });

  it('hold together: checks pass, what is derived is made, and their tests pass', async () => {
    await inCopy('node', 'tools/run.mjs', 'docs');
    // The program itself is run by none of these tests: one that looks built is not built again.
    await cp(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
    // All is compiled; the linter takes minutes for all, most of which the examples leave alone.
    const sources = [...touched].filter((name) => name.endsWith('.ts'));
    const lint = inCopy('node', '--import', 'tsx', 'tools/check-lint.mjs', ...sources);
    const checks = inCopy('node', 'tools/run.mjs', 'check', 'format', 'doors', 'tables', 'texts', 'citations');
    const tests = inCopy('node', 'node_modules/vitest/vitest.mjs', 'run', ...TESTS);
    const [tested, ...checked] = await Promise.allSettled([tests, lint, checks]);
    expect(
      [tested, ...checked].flatMap((end) => (end.status === 'rejected' ? [`${REMAKE}: ${end.reason}`] : [])),
    ).toEqual([]);
    if (tested.status === 'fulfilled') expect(tested.value).toMatch(/Tests .*\d{2,} passed/);
  }, 900_000);
});
