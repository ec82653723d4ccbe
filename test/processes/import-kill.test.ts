import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { openStore, sql, type Store } from '#kernel/store';
import { folderWith } from '../moving/support/folder.ts';
import { LINES, mattermostArchive } from '../moving/support/mattermost.ts';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { pause } from '../support/pause.ts';
import { runCommand, startCommand, startProcess } from '../support/process.ts';
import '../../src/features.ts';

const MESSAGES = 6000;

/** Messages of a day and more, each a different one. */
const posts = Array.from({ length: MESSAGES }, (_one, index) => ({
  type: 'post',
  post: {
    team: 'birds',
    channel: 'town-square',
    user: index % 2 === 0 ? 'wanda' : 'felix.f',
    message: `message **${index}** of @wanda`,
    create_at: 1_714_560_000_000 + index * 1000,
  },
}));

describe.each(databasesInTurn(import.meta.url))('an import that is killed, on %s', (name) => {
  let folder: string;
  let database: TestDatabase;
  let store: Store;
  beforeAll(() => {
    folder = folderWith(mattermostArchive(Buffer.from('no picture'), [...LINES, ...posts]));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    database = await makeDatabase(name);
  });
  afterEach(async () => {
    await store.close();
    await database.remove();
  });

  const watch = async () => {
    const { dataDir, databaseUrl: url } = database;
    store = await openStore({ url, file: join(dataDir, 'roost.sqlite3'), clock: systemClock, poolSize: 1 });
  };
  const contents = async (): Promise<readonly string[]> => {
    const { rows } = await store.query((tx) =>
      sql<{ content: string }>`select content from message where content like 'message **%'`.execute(tx.db),
    );
    return rows.map(({ content }) => content);
  };

  /** Kills the command as soon as some messages are in, and long before all are. */
  const killed = async (command: readonly string[]) => {
    const child = startCommand(database, command);
    const gone = once(child, 'exit');
    while (child.exitCode === null && (await contents().catch(() => [])).length === 0) await pause(20);
    child.kill('SIGKILL');
    await gone;
    const stored = (await contents()).length;
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(MESSAGES);
  };
  const everyOneOnce = async () => {
    const found = await contents();
    expect(found).toHaveLength(MESSAGES);
    expect(new Set(found).size).toBe(MESSAGES);
  };

  it('as a new organization is reached by nobody, taken back by the next, and then comes whole', async () => {
    // The database is there before the command, so that it can be watched.
    await (await startProcess(database, 0)).kill('SIGTERM');
    await watch();
    const command = [
      'import',
      folder,
      '--from',
      'mattermost',
      '--subdomain',
      'birds',
      '--name',
      'Birds',
      '--owner-email',
      'wanda@birds.test',
    ];
    await killed(command);
    const { rows } = await store.query((tx) =>
      sql<{ string_id: string }>`select string_id from realm where string_id = 'birds'`.execute(tx.db),
    );
    expect(rows).toEqual([]);
    const said = await runCommand(database, command);
    expect(said).toContain('note: imports taken back: 1 (one that was not finished)');
    expect(said).toContain(`came: ${MESSAGES + 7} messages`);
    await everyOneOnce();
    const { rows: realms } = await store.query((tx) =>
      sql<{ string_id: string }>`select string_id from realm order by id`.execute(tx.db),
    );
    expect(realms).toContainEqual({ string_id: 'birds' });
    expect(realms).toHaveLength(2);
  });

  it('into an organization that there is goes on where it was, beside a running server', async () => {
    const server = await startProcess(database, 0);
    try {
      await watch();
      const command = ['import', folder, '--from', 'mattermost', '--into-existing'];
      await killed(command);
      expect(await runCommand(database, command)).toMatch(/came: \d+ messages that were there or stayed behind/);
      await everyOneOnce();
      expect(await runCommand(database, command)).toContain(
        `came: ${MESSAGES + 7} messages that were there or stayed behind`,
      );
      await everyOneOnce();
    } finally {
      await server.kill('SIGTERM');
    }
  });
});
