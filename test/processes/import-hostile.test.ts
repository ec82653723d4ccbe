import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderWith } from '../moving/support/folder.ts';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { refusedCommand, runCommand } from '../support/process.ts';

/** Clears the screen, goes up a line and begins another one. */
const COMMANDS = '\u001b[2J\u001b[1A\u009b31m\r\nimported https://elsewhere.example/';

describe.each(databasesInTurn(import.meta.url))('names of an archive, as a terminal gets them on %s', (name) => {
  let database: TestDatabase;
  const folders: string[] = [];
  beforeAll(async () => {
    database = await makeDatabase(name);
  });
  afterAll(async () => {
    for (const folder of folders) rmSync(folder, { recursive: true });
    await database.remove();
  });

  const archive = (files: Readonly<Record<string, string>>) => {
    const folder = folderWith(files);
    folders.push(folder);
    return ['import', folder, '--dry-run', '--owner-email', 'olive@birds.test', '--from'];
  };
  const expectPlain = (said: string) => expect(said.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);

  it('are shown on one line, without what it would obey', async () => {
    const table = `zerver_${COMMANDS}`;
    const tables = { zerver_realm: [{ id: 1, name: 'Birds' }], [table]: [{ id: 1, [COMMANDS.repeat(99)]: 1 }] };
    const said = await runCommand(database, [...archive({ 'realm.json': JSON.stringify(tables) }), 'zulip']);
    expect(said).toMatch(/^would come: 1 .*imported https:\/\/elsewhere\.example\/$/m);
    expect(said).toMatch(/^note: tables left out: 1 \(.*imported https:\/\/elsewhere\.example\/\)$/m);
    expectPlain(said);
  });

  it('are shown like that by the line that refuses it', async () => {
    const command = archive({ [`a${COMMANDS.replaceAll('/', '_')}.jsonl`]: '{}', 'b.jsonl': '{}' });
    const { code, said } = await refusedCommand(database, [...command, 'mattermost']);
    expect(code).toBe(1);
    expect(said).toMatch(
      /^the archive has several \.jsonl files: a.*imported https:__elsewhere\.example_\.jsonl, b\.jsonl$/m,
    );
    expectPlain(said);
  });
});
