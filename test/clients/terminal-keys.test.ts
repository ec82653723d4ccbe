import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDatabase, type TestDatabase } from '../support/databases.ts';
import { demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { PYTHON_CLIENTS, pythonWith } from '../support/python.ts';
import { hasTerminals, Terminal } from '../support/terminal.ts';

const programs = hasTerminals() ? await pythonWith(PYTHON_CLIENTS) : undefined;

/** What the client calls keys, as tmux does. */
const KEYS: Readonly<Record<string, string>> = {
  enter: 'Enter',
  esc: 'Escape',
  tab: 'Tab',
  'page up': 'PPage',
  'page down': 'NPage',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  home: 'Home',
  end: 'End',
  ' ': 'Space',
  ';': '\\;',
};
/** Keys that end the client, by its own wish. */
const ENDS: ReadonlySet<string> = new Set(['C-c', 'C-z']);

function tmuxName(key: string): string {
  const [, modifier, rest = key] = /^(ctrl|meta) (.+)$/.exec(key) ?? [];
  const prefix = modifier === undefined ? '' : modifier === 'ctrl' ? 'C-' : 'M-';
  return `${prefix}${KEYS[rest] ?? rest}`;
}

/** Every key of the client's help, as the client itself lists them. */
function keysOf(python: string): readonly string[] {
  const script = `import json
from zulipterminal.config.keys import KEY_BINDINGS
print(json.dumps(sorted({key for binding in KEY_BINDINGS.values() for key in binding["keys"]})))`;
  const keys: string[] = JSON.parse(execFileSync(python, ['-c', script], { encoding: 'utf8' }));
  return keys.map(tmuxName).filter((key) => !ENDS.has(key));
}

describe.skipIf(!programs)('every key of the help screen of the terminal client', () => {
  let database: TestDatabase;
  let server: ServerProcess;
  let terminal: Terminal;
  beforeAll(async () => {
    database = await makeDatabase('sqlite');
    server = await startProcess(database, await freePort());
    const { email, api_key } = await demoAccount(server, 'member@roost.test');
    const settings = join(database.dataDir, 'zuliprc');
    const text = `[api]\nemail=${email}\nkey=${api_key}\nsite=${server.url}\n\n[zterm]\ntheme=zt_dark\n`;
    await writeFile(settings, text, { mode: 0o600 });
    const command = `cd ${database.dataDir} && ${join(programs ?? '', 'zulip-term')} -c ${settings}; echo it has ended; cat`;
    terminal = await Terminal.open(command);
    await terminal.shows(/Count me in\./);
  });
  afterAll(async () => {
    await terminal.close();
    await server.kill('SIGTERM');
    await database.remove();
  });

  it('leaves the client alive', { timeout: 600_000 }, async () => {
    const keys = keysOf(join(programs ?? '', 'python'));
    expect(keys.length).toBeGreaterThan(50);
    for (const key of keys) {
      await terminal.press(key);
      await terminal.escape();
      await terminal.escape();
      const screen = await terminal.screen();
      expect([key, /it has ended|Traceback/.test(screen)]).toEqual([key, false]);
    }
    // It still listens.
    await terminal.press('?');
    await terminal.shows(/Help Menu/);
  });
});
