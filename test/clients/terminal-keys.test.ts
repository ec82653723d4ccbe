import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseName, databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { pause } from '../support/pause.ts';
import { demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { startProduction } from '../support/production.ts';
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

/** How the client gets from its messages to the places where keys mean something else. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  'its messages': [],
  'its channels': ['q', 'Enter'],
  'the topics of a channel': ['q', 'Enter', 't'],
  'its people': ['w', 'Enter'],
  // With something in the field: letters of an empty one exchanged (Ctrl-T), or the conversation of an unknown channel
  // opened (Alt-.), end this client with every server.
  'a message to a channel': ['c', ...'general'],
  'a message to a person': ['x', 'a', 'b'],
  'an answer': ['r', 'a', 'b'],
  'what it says of a message': ['i'],
  'its emoji': [':'],
};
/** Quick: the others are pressed with `npm run clients` only. */
const QUICK: readonly (keyof typeof PLACES)[] = ['its messages'];
const isAll = process.env['ROOST_TEST_CLIENTS'] === 'all';

/** A server with an account. */
interface Place {
  readonly server: ServerProcess;
  readonly database: TestDatabase;
  readonly account: { readonly email: string; readonly api_key: string };
}

async function openDemo(name: DatabaseName): Promise<Place> {
  const database = await makeDatabase(name);
  const server = await startProcess(database, await freePort());
  return { server, database, account: await demoAccount(server, 'member@roost.test') };
}

async function openNew(name: DatabaseName): Promise<Place> {
  // Nobody presses keys as quickly, and this client ends when it is refused a message.
  const { server, database, owner } = await startProduction(name, { ROOST_RATE_LIMITS: 'off' });
  return { server, database, account: owner };
}

/** Whether the client still shows its help: a key soon after Escape is another one to it, so it is pressed slowly. */
async function showsHelp(terminal: Terminal): Promise<boolean> {
  for (let tries = 0; tries < 10; tries++) {
    await terminal.escape();
    await pause(1000);
    await terminal.press('?');
    await pause(1000);
    if (/Help Menu/.test(await terminal.screen())) return true;
  }
  return false;
}

/**
 * A mistake of the client itself: its list of people may be drawn before it is able to draw, when a busy machine lets it
 * start slowly, and then it shows nothing more.
 */
const TOO_SOON = 'hasattr(self, "_update_pipe")';

/** What the client has written of mistakes that it met. */
async function logsOf(folder: string): Promise<readonly string[]> {
  const logs = (await readdir(folder)).filter((file) => file.endsWith('.log'));
  return Promise.all(logs.map((file) => readFile(join(folder, file), 'utf8')));
}

const organizations = [
  ['the demo', openDemo],
  ['a new organization', openNew],
] as const;

describe.skipIf(!programs).each(isAll ? databases : databases.slice(0, 1))(
  'every key of the help screen of the terminal client on %s',
  (database) => {
    describe.each(organizations)('in %s', (_name, open) => {
      const python = join(programs ?? '', 'python');
      const terminals: Terminal[] = [];
      let place: Place;
      beforeAll(async () => {
        place = await open(database);
      });
      afterAll(async () => {
        await Promise.all(terminals.map((terminal) => terminal.close()));
        await place.server.kill('SIGTERM');
        await place.database.remove();
      });

      /** Starts the client in a folder of its own; again if it fell over itself. */
      async function start(isAgain = false): Promise<{ readonly terminal: Terminal; readonly folder: string }> {
        const { email, api_key } = place.account;
        const folder = await mkdtemp(join(place.database.dataDir, 'terminal-'));
        const settings = join(folder, 'zuliprc');
        const text = `[api]\nemail=${email}\nkey=${api_key}\nsite=${place.server.url}\n\n[zterm]\ntheme=zt_dark\n`;
        await writeFile(settings, text, { mode: 0o600 });
        const terminal = await Terminal.open(
          `cd ${folder} && ${join(programs ?? '', 'zulip-term')} -c ${settings}; echo it has ended; cat`,
        );
        terminals.push(terminal);
        try {
          await terminal.shows(/All messages +\[a\]/);
          return { terminal, folder };
        } catch (error) {
          const logs = await logsOf(folder);
          if (!isAgain && logs.some((log) => log.includes(TOO_SOON))) return start(true);
          throw new Error([String(error).trimEnd(), ...logs, place.server.output().slice(-2000)].join('\n'));
        }
      }

      it.each(isAll ? Object.keys(PLACES) : QUICK)(
        'leaves the client alive in %s',
        { timeout: 900_000 },
        async (where) => {
          const keys = keysOf(python);
          expect(keys.length).toBeGreaterThan(50);
          const { terminal, folder } = await start();
          for (const key of keys) {
            if (PLACES[where]?.length) await terminal.press(...PLACES[where]);
            await terminal.press(key);
            await terminal.escape();
            await terminal.escape();
            const screen = await terminal.screen();
            const isOver = /it has ended|crashed|exception/.test(screen);
            expect([key, isOver, isOver ? await logsOf(folder) : []]).toEqual([key, false, []]);
          }
          // It still listens, and has met nothing that it did not expect.
          expect(await showsHelp(terminal)).toBe(true);
          expect(await logsOf(folder)).toEqual([]);
        },
      );
    });
  },
);
