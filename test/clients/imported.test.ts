import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { folderWith } from '../moving/support/folder.ts';
import type { Contents } from '../moving/support/imported.ts';
import { mattermostArchive } from '../moving/support/mattermost.ts';
import { mboxArchive } from '../moving/support/mbox.ts';
import { dumpOf, rocketChatRecords } from '../moving/support/rocketchat.ts';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { plain } from '../support/pictures.ts';
import { demoAccount, freePort, runCommand, type ServerProcess, startProcess } from '../support/process.ts';
import { PYTHON_CLIENTS, pythonWith } from '../support/python.ts';

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL('imported.py', import.meta.url));
const picture = await plain(64, 64).png().toBuffer();
const programs = await pythonWith(PYTHON_CLIENTS);

const slack: Contents = {
  'users.json': [{ id: 'U1', profile: { real_name: 'Wanda Wren', email: 'wanda@birds.test' } }],
  'channels.json': [{ id: 'C1', name: 'nests', members: ['U1'] }],
  'nests/2024-05-01.json': [{ type: 'message', user: 'U1', ts: '1714550400.5', text: '*hi* <@U1>' }],
};
const zulip: Contents = {
  'realm.json': {
    zerver_realm: [{ id: 1, name: 'Birds' }],
    zerver_userprofile: [{ id: 1, delivery_email: 'wanda@birds.test', full_name: 'Wanda Wren' }],
    zerver_stream: [{ id: 1, name: 'nests' }],
    zerver_recipient: [{ id: 1, type: 2, type_id: 1 }],
    zerver_subscription: [{ id: 1, user_profile: 1, recipient: 1, active: true }],
  },
  'messages-000001.json': {
    zerver_message: [{ id: 1, sender: 1, recipient: 1, subject: 'eggs', content: 'three', date_sent: 1_700_000_000 }],
  },
};

describe.skipIf(!programs).each(databases)('the Python client on an organization that came to %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess | undefined;
  afterEach(async () => {
    await server?.kill('SIGTERM');
    await database.remove();
  });

  it.each([
    ['zulip', zulip, 'eggs', 'three'],
    ['slack', slack, 'imported from Slack', '**hi** @**Wanda Wren**'],
    ['mattermost', mattermostArchive(picture), 'imported from Mattermost', '[Build 7](https://ci.test/7)\nfailed'],
    ['rocketchat', dumpOf(rocketChatRecords(picture)), 'imported from Rocket.Chat', 'psst'],
    ['mbox', mboxArchive, 'Where do we breed?', 'Bäume, I think.\nFrom here it looks good.'],
  ] as const)('from %s reads it, and goes on in it', async (from, contents, topic, content) => {
    database = await makeDatabase(name);
    const folder = folderWith(contents);
    try {
      const said = await runCommand(database, [
        'import',
        folder,
        '--from',
        from,
        '--name',
        'Birds',
        '--owner-email',
        'wanda@birds.test',
      ]);
      expect(said).toMatch(/^came: \d+ messages$/m);
    } finally {
      rmSync(folder, { recursive: true });
    }
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    server = await startProcess(database, port, { ROOST_MODE: 'development', ROOST_EXTERNAL_URL: address }, 'serve');
    const { email, api_key } = await demoAccount(server, 'wanda@birds.test');
    const { stdout } = await run(join(programs ?? '', 'python'), [PROGRAM, server.url, email, api_key]);
    const seen = JSON.parse(stdout);
    expect(seen).toMatchObject({ unread: 0, is_newest: true });
    expect(seen.people).toBeGreaterThan(0);
    expect(seen.contents).toContain(content);
    expect(seen.topics).toContain(topic);
    expect(seen.heard).toEqual(expect.arrayContaining(['message', 'reaction']));
  });
});
