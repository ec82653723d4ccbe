import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { PYTHON_CLIENTS, pythonWith } from '../support/python.ts';
import { hasTerminals, Terminal } from '../support/terminal.ts';

const programs = hasTerminals() ? await pythonWith(PYTHON_CLIENTS) : undefined;

describe.skipIf(!programs).each(databases)('the terminal client in the demo organization on %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess;
  let terminal: Terminal;
  beforeAll(async () => {
    database = await makeDatabase(name);
    server = await startProcess(database, await freePort());
    const { email, api_key } = await demoAccount(server, 'member@roost.test');
    const settings = join(database.dataDir, 'zuliprc');
    const text = `[api]\nemail=${email}\nkey=${api_key}\nsite=${server.url}\n\n[zterm]\ntheme=zt_dark\n`;
    await writeFile(settings, text, { mode: 0o600 });
    terminal = await Terminal.open(`cd ${database.dataDir} && ${join(programs ?? '', 'zulip-term')} -c ${settings}`);
  });
  afterAll(async () => {
    await terminal.close();
    await server.kill('SIGTERM');
    await database.remove();
  });

  /** What somebody else says in a topic of #general. */
  const say = async (content: string) =>
    call(server, await demoAccount(server, 'member2@roost.test'), 'POST', '/messages', {
      type: 'channel',
      to: 'general',
      topic: 'welcome',
      content,
    });

  it('logs in and shows channels and messages', async () => {
    await terminal.shows(/Count me in\./);
    // The client may have written over its screen: a thread of its own that lists people complains when it is done before
    // the screen is up. People redraw it, too.
    await terminal.press('C-l');
    const screen = await terminal.shows(/Roost Demo[\s\S]*Count me in\./);
    expect(screen).toContain('Max Member (member@roost.test)');
    expect(screen).toMatch(/# announcements/);
    expect(screen).toMatch(/⊚ lounge/);
    expect(screen).toMatch(/EDITED ▒ Soup at half past twelve\?/);
  });

  it('reads a channel, sends to it, and gets what others say there', async () => {
    await terminal.press('q');
    await terminal.type('general');
    await terminal.press('Enter', 'Enter');
    await terminal.shows(/general\s+Search \[\/\]/);
    await terminal.press('r');
    await terminal.type('hello from the terminal');
    await terminal.press('C-d');
    await terminal.shows(/Max Member[^\n]*\n[^\n]*▒ hello from the terminal/);
    await terminal.escape();
    await say('welcome, terminal');
    await terminal.shows(/Mia Member[^\n]*\n[^\n]*▒ welcome, terminal/);
  });

  it('stars, reacts to and edits a message', async () => {
    await terminal.press('k', 'j', 'j', 'j', 'j', 'j', 'j', 'j', 'j', 'j', 'j', 'k');
    await terminal.press('*');
    await terminal.shows(/Starred messages \[f\]\s+1/);
    await terminal.press('+');
    await terminal.shows(/:thumbs_up: You/);
    await terminal.press('e');
    await terminal.type(' indeed');
    await terminal.press('C-d');
    await terminal.shows(/EDITED ▒ hello from the terminal indeed/);
    await terminal.escape();
  });

  it('searches', async () => {
    await terminal.press('/');
    await terminal.type('rook');
    await terminal.press('Enter');
    const screen = await terminal.shows(/Messages Search Results[\s\S]*A book about rooks, of course\./i);
    expect(screen).toContain('A rook on a branch, or a rook in flight?');
    expect(screen).not.toContain('hello from the terminal');
  });
});
