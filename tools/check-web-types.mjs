// Checks the types of the web client. The sources of the server come along, because the client's types are made from their
// declarations; what is wrong in them for a program that knows the DOM, too, is no fault: `types` checks them.
import { captured, programs } from './run/processes.mjs';

const remembered = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/web-types.tsbuildinfo'];
const { code, output } = await captured([programs.tsc, '--noEmit', '--pretty', 'false', '-p', 'web', ...remembered]);
const lines = output.split('\n');
const known = lines.some((line) => /^(?:src|web|test)\/\S+\(\d+,\d+\): error TS/.test(line));
const ours = lines.filter((line, index) => blockOf(lines, index).startsWith('web/'));

/** The line that a continuation belongs to. */
function blockOf(all, index) {
  let at = index;
  while (at > 0 && /^\s/.test(all[at])) at -= 1;
  return all[at] ?? '';
}

if (ours.length > 0) process.stdout.write(`${ours.join('\n')}\n`);
// A compiler that fails without naming a fault has checked nothing.
else if (code !== 0 && !known) process.stdout.write(output);
process.exitCode = ours.length > 0 || (code !== 0 && !known) ? 1 : 0;
