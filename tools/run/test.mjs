// Runs the tests: one run of vitest for all databases that are there, because tests loop over them inside their files.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attached, programs } from './processes.mjs';
import { postgresAnswers, redisAnswers } from './services.mjs';

const POSTGRES_URL = 'postgres://postgres@127.0.0.1:5432/postgres';
const REDIS_URL = 'redis://127.0.0.1:6379';

/** Address of a service without its credentials. */
function placeOf(url) {
  return URL.canParse(url) ? new URL(url).host : 'an address that is no URL';
}

/** Decides what can run. `missing` names what was wanted and is not there. */
async function plan(env) {
  const postgresUrl = env.ROOST_TEST_POSTGRES_URL || POSTGRES_URL;
  const redisUrl = env.ROOST_TEST_REDIS_URL || REDIS_URL;
  const wanted = (env.ROOST_TEST_DATABASES || 'sqlite,postgres').split(',').map((name) => name.trim());
  const postgres = wanted.includes('postgres') && (await postgresAnswers(postgresUrl));
  const redis = await redisAnswers(redisUrl);
  const missing = [];
  if (!wanted.includes('postgres')) missing.push('PostgreSQL (not in ROOST_TEST_DATABASES)');
  else if (!postgres) missing.push(`PostgreSQL (no server at ${placeOf(postgresUrl)}; ROOST_TEST_POSTGRES_URL)`);
  if (!redis) missing.push(`Redis (no server at ${placeOf(redisUrl)}; ROOST_TEST_REDIS_URL)`);
  const databases = wanted.filter((name) => name !== 'postgres' || postgres).join(',');
  return {
    postgres,
    missing,
    env: {
      ROOST_TEST_DATABASES: databases,
      ROOST_TEST_POSTGRES_URL: postgresUrl,
      // Empty when there is none, so that tests which need it step aside.
      ROOST_TEST_REDIS_URL: redis ? redisUrl : '',
    },
  };
}

/** Runs vitest with its usual output. Resolves to its exit code and its results, which are undefined if it broke down. */
async function runVitest(args, env) {
  const folder = mkdtempSync(join(tmpdir(), 'roost-test-'));
  const file = join(folder, 'results.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const code = await attached([programs.vitest, 'run', ...reporters, ...args], env);
    return { code, results: readResults(file) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Sums up. A file that did not load counts as a failure, and so does a run that failed in any other way. */
function count({ code, results }) {
  const tests = (results?.testResults ?? []).flatMap((file) => file.assertionResults);
  const broken = (results?.testResults ?? []).filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  );
  const having = (status) => tests.filter((test) => test.status === status).length;
  const passed = having('passed');
  const failed = having('failed') + broken.length;
  return {
    passed,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: tests.length - passed - having('failed'),
    // Tests that loop over databases carry the database in their name.
    onPostgres: tests.filter((test) => test.status === 'passed' && /\bpostgres\b/.test(test.fullName)).length,
  };
}

/** At most so many files that failed are worth a second look; more is no accident. */
const SECOND_LOOKS = 3;

/**
 * Files of which tests or their preparation failed, which may have failed only because two others ran beside them,
 * relative to the project. None where a file did not load, or where too many failed.
 */
export function worthSecondLook({ results }) {
  const failed = (results?.testResults ?? []).filter(({ status }) => status === 'failed');
  // One whose preparation failed names its tests as skipped; one that did not load names none.
  const isBroken = failed.some(({ assertionResults }) => assertionResults.length === 0);
  return isBroken || failed.length > SECOND_LOOKS ? [] : failed.map(({ name }) => name);
}

/**
 * A run, and where tests failed a second one of their files alone: a test that holds alone and fails in company measures
 * the machine, and shall be mended, but says nothing against the program. What it was is printed either way.
 */
async function runWithSecondLook(args, env) {
  const first = await runVitest(args, env);
  const files = first.code === 0 ? [] : worthSecondLook(first);
  if (files.length === 0) return { ...first, shaky: [] };
  process.stdout.write(`\nFailed in company, tried alone: ${files.join(' ')}\n`);
  const second = await runVitest([...files, '--maxWorkers=1'], env);
  if (second.code !== 0) return { ...first, shaky: [] };
  const testResults = first.results.testResults.filter(({ name }) => !files.includes(name));
  return { code: 0, results: { testResults: [...testResults, ...second.results.testResults] }, shaky: files };
}

/** Runs all published clients against servers of this build, those too that the test suite leaves out as too slow. */
export function clients(args) {
  process.env.ROOST_TEST_CLIENTS = 'all';
  return test(args.length > 0 ? args : ['test/clients', 'src/features/uploads/resumable']);
}

/** Runs the program on every line of Node that it supports; they are downloaded once, about a gigabyte. */
export function nodes(args) {
  process.env.ROOST_TEST_NODES = 'all';
  return test(args.length > 0 ? args : ['test/processes/node-versions.test.ts']);
}

/**
 * Runs the tests on SQLite, and on PostgreSQL and Redis when they are there; says what was left out. With CI=true
 * nothing may be left out. Arguments go to vitest. Resolves to the exit code.
 */
export async function test(args) {
  const strict = process.env.CI === 'true';
  const { postgres, missing, env } = await plan(process.env);
  const leftOut = `Left out: what needs ${missing.join(' and ')}.\n`;
  if (strict && missing.length > 0) {
    process.stdout.write(`${leftOut}With CI=true that is a failure.\n0 passed, 1 failed\n`);
    return 1;
  }
  const run = strict ? await runWithSecondLook(args, env) : { ...(await runVitest(args, env)), shaky: [] };
  const { passed, failed, skipped, onPostgres } = count(run);
  const idle = strict && postgres && args.length === 0 && onPostgres === 0;
  if (idle) process.stdout.write('No test ran on PostgreSQL, although it is there.\n');
  if (missing.length > 0) process.stdout.write(leftOut);
  for (const file of run.shaky) process.stdout.write(`Held only alone, to be mended: ${file}\n`);
  process.stdout.write(
    `${passed} passed, ${failed + Number(idle)} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
  );
  return idle ? 1 : run.code;
}
