// The commands of package.json. Plain JavaScript without dependencies, because it also installs them.
import { bench, build, defences, dev, docs, faults, serve } from './run/application.mjs';
import { check } from './run/check.mjs';
import { ensureInstalled } from './run/install.mjs';
import { clients, nodes, test } from './run/test.mjs';

const commands = {
  start: (args) => serve('serve', args),
  demo: (args) => serve('demo', args),
  dev,
  build,
  test,
  clients,
  nodes,
  check,
  bench,
  docs,
  faults,
  defences,
};

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) {
  process.stderr.write(`Usage: node tools/run.mjs ${Object.keys(commands).join(' | ')} [arguments]\n`);
  process.exit(2);
}
ensureInstalled();
// A command that serves sets no exit code: the process lives as long as the server.
const code = await command(args);
if (code) process.exitCode = code;
