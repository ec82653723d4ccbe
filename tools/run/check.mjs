// Runs the list of checks, two at a time, and prints one line for each; what a failed one wrote stands under its line.
import { checks } from '../checks.mjs';
import { captured } from './processes.mjs';

const AT_ONCE = 2;

function report({ name, says, shows }, { code, output, ms }) {
  const seconds = `${(ms / 1000).toFixed(1)} s`;
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(12)} ${seconds.padStart(6)}  ${says}\n`);
  if (code !== 0 || shows) process.stdout.write(`\n${output.trimEnd()}\n\n`);
}

async function runAll(chosen) {
  const waiting = [...chosen];
  const failed = [];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await captured(next.run);
      report(next, result);
      if (result.code !== 0) failed.push(next.name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return failed;
}

/** Runs all checks, or those named. Resolves to the exit code. */
export async function check(names) {
  const unknown = names.filter((name) => !checks.some((known) => known.name === name));
  if (unknown.length > 0) {
    process.stderr.write(`No such check: ${unknown.join(', ')}. There are: ${checks.map((c) => c.name).join(', ')}\n`);
    return 2;
  }
  const failed = await runAll(names.length === 0 ? checks : checks.filter((known) => names.includes(known.name)));
  process.stdout.write(failed.length === 0 ? 'All checks passed.\n' : `Failed: ${failed.join(', ')}\n`);
  return failed.length === 0 ? 0 : 1;
}
