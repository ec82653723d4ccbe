import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { pause } from '../support/pause.ts';
import { refusedCommand, runCommand, startProcess } from '../support/process.ts';

const OWNER = ['--name=Rookery', '--email=olive@roost.test', '--full-name=Olive Owner'];
const CREATE = ['organization', 'create', ...OWNER];

/** Paths below a folder, itself included, to which others have rights. */
function openPaths(folder: string): string[] {
  const paths = [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))];
  return paths.filter((path) => (statSync(path).mode & 0o077) !== 0);
}

/** Opens everything below a folder to everybody. */
function openAll(folder: string): void {
  const paths = [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))];
  for (const path of paths) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
}

describe.each(databasesInTurn(import.meta.url))('what lies on the disk of a server on %s', (name) => {
  let database: TestDatabase;
  let backups: string;
  beforeEach(async () => {
    database = await makeDatabase(name);
    backups = mkdtempSync(join(tmpdir(), 'roost-backups-'));
    await runCommand(database, CREATE, { stdin: 'three nests in the north tower\n' });
  });
  afterEach(async () => {
    await database.remove();
    rmSync(backups, { recursive: true });
  });

  it('belongs to its user alone, also what was open to others before', async () => {
    const { dataDir } = database;
    mkdirSync(join(dataDir, 'files/2/ab'), { recursive: true });
    writeFileSync(join(dataDir, 'files/2/ab/old.txt'), 'from an older release');
    mkdirSync(join(dataDir, 'mails'), { recursive: true });
    writeFileSync(join(dataDir, 'mails/old.eml'), 'Subject: old');
    openAll(dataDir);
    const server = await startProcess(database, 0, {}, 'serve');
    // The folder is closed before the server serves; what lies deep in it comes later.
    expect(statSync(dataDir).mode & 0o077).toBe(0);
    while (openPaths(dataDir).length > 0) await pause(20);
    expect(readdirSync(dataDir)).toEqual(
      expect.arrayContaining(name === 'sqlite' ? ['roost.sqlite3', 'roost.sqlite3-wal', 'secret'] : ['secret']),
    );
    expect(await runCommand(database, ['doctor'])).toMatch(/^ok {4}data folder/m);
    await server.kill('SIGTERM');
  });

  it('is told by the doctor when others can read it, backups too', async () => {
    const { dataDir } = database;
    const folder = join(backups, 'monday');
    mkdirSync(folder, { mode: 0o755 });
    await runCommand(database, ['backup', folder]);
    expect(openPaths(folder)).toEqual([]);
    expect(await runCommand(database, ['doctor'])).toMatch(/^ok {4}data folder/m);
    mkdirSync(join(dataDir, 'mails'), { recursive: true, mode: 0o700 });
    const mail = join(dataDir, 'mails/some.eml');
    writeFileSync(mail, 'Subject: secret', { mode: 0o600 });
    for (const path of [join(folder, 'secret'), folder, mail, dataDir]) {
      const { mode } = statSync(path);
      for (const right of [0o004, 0o040]) {
        chmodSync(path, mode | right);
        const { code, said } = await refusedCommand(database, ['doctor']);
        expect([code, said]).toEqual([1, expect.stringMatching(`FAIL  data folder +others have rights to ${path}: `)]);
      }
      chmodSync(path, mode);
    }
    expect(await runCommand(database, ['doctor'])).toMatch(/^nothing is wrong$/m);
  });

  it.runIf(name === 'sqlite')('is restored for its user alone, whatever the backup looks like', async () => {
    const folder = join(backups, 'monday');
    await runCommand(database, ['backup', folder]);
    openAll(folder);
    const dataDir = join(backups, 'restored');
    mkdirSync(dataDir, { mode: 0o755 });
    await runCommand({ ...database, dataDir }, ['restore', folder]);
    expect(openPaths(dataDir)).toEqual([]);
  });
});
