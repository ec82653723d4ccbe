import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { TestClock } from '#kernel/clock';
import { openLog } from '#kernel/log';
import { openMetrics } from '#kernel/metrics';
import { backUpRegularly } from '../../src/commands/backups/schedule.ts';
import { environmentOf, MAIN, refusedCommand, runCommand } from '../support/process.ts';

const OWNER = ['organization', 'create', '--name=Rookery', '--email=olive@roost.test', '--full-name=Olive Owner'];

describe.each(databasesInTurn(import.meta.url))('backups by a schedule on %s', (name) => {
  let database: TestDatabase;
  let folder: string;
  let environment: Record<string, string>;
  beforeAll(async () => {
    database = await makeDatabase(name);
    folder = mkdtempSync(join(tmpdir(), 'roost-backups-'));
    environment = { ROOST_BACKUP_DIR: folder, ROOST_BACKUP_KEEP: '2' };
    await runCommand(database, OWNER, { stdin: 'three nests in the tower\n' });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await database.remove();
  });

  const scheduled = () => runCommand(database, ['backup', '--scheduled'], { environment });
  const made = () => readdirSync(folder).toSorted();
  const doctor = async () => (await refusedCommand(database, ['doctor'], { environment })).said;

  it('are restored on trial, which the doctor tells, and old ones are removed', async () => {
    expect(await doctor()).toMatch(/^FAIL {2}backups +there is none/m);
    // What is not of the schedule, and what somebody is making, stays.
    for (const other of [
      'holiday pictures',
      'roost-2026-11-20T00-00-00',
      `roost-${new Date().toISOString().slice(0, 13)}-00-00Z`,
    ])
      mkdirSync(join(folder, other));
    for (const day of ['01', '02', '03']) {
      const old = join(folder, `roost-2026-01-${day}T00-00-00Z`);
      mkdirSync(old);
      const manifest = { roost: '0.1.0', made_at: 1, database: 'sqlite', migrations: [] };
      writeFileSync(join(old, 'backup.json'), JSON.stringify(manifest));
      if (day === '01') writeFileSync(join(old, 'rehearsal.json'), '{"at":1,"fault":"","says":"good"}');
    }
    mkdirSync(join(folder, 'roost-2026-01-04T00-00-00Z'));
    const said = await scheduled();
    expect(said).toMatch(
      name === 'sqlite' ? /^rehearsal its database is whole/m : /^rehearsal the database is not in it/m,
    );
    const kept = made();
    expect(kept.filter((one) => one.startsWith('roost-2026-01'))).toEqual(['roost-2026-01-03T00-00-00Z']);
    expect(kept).toEqual(expect.arrayContaining(['holiday pictures', 'roost-2026-11-20T00-00-00']));
    expect(kept.some((one) => one.startsWith('~'))).toBe(false);
    expect(await doctor()).toMatch(/^ok {4}backups +the last is of .*restored on trial/m);
  });

  it('are made by the server when one is due, and tried again when one failed', async () => {
    const lines: string[] = [];
    const log = openLog('error', { write: (line: string) => lines.push(line) });
    const config = { backupDir: folder, backupHours: 24 };
    const good = { ...environmentOf(database), ...environment };
    const serving = async (ahead: number, env: Record<string, string | undefined>) => {
      const clock = new TestClock(Date.now() + ahead);
      const metrics = openMetrics();
      const stop = backUpRegularly(config, { clock, log, metrics }, { main: MAIN, environment: env });
      clock.advance(60_000);
      await expect.poll(() => metrics.text()).toMatch(/^roost_backup_timestamp_seconds [1-9]/m);
      return { clock, stop };
    };
    const before = made();
    await (await serving(0, good)).stop();
    expect(made()).toEqual(before);
    const ahead = 25 * 3_600_000;
    const failing = await serving(ahead, { ...good, ROOST_BACKUP_KEEP: 'none' });
    await expect.poll(() => lines.join('')).toContain('no backup could be made');
    await failing.stop();
    const due = await serving(ahead, good);
    const tried = () => made().filter((one) => existsSync(join(folder, one, 'rehearsal.json')));
    await expect.poll(() => tried().at(-1), { timeout: 60_000 }).not.toBe(before.at(-1));
    await due.stop();
  });

  it.runIf(name === 'sqlite')('that cannot be restored are told, and do not push out the last that could', async () => {
    const whole =
      made().findLast((one) => one.startsWith('roost-') && readdirSync(join(folder, one)).includes('rehearsal.json')) ??
      '';
    const file = join(folder, whole, 'roost.sqlite3');
    const good = readFileSync(file);
    truncateSync(file, 8_192);
    const { code, said } = await refusedCommand(database, ['backup', join(folder, whole), '--rehearse'], {
      environment,
    });
    expect([code, said]).toEqual([1, expect.stringMatching(/cannot be restored/)]);
    expect(await doctor()).toMatch(/^FAIL {2}backups +the last .* cannot be restored/m);
    writeFileSync(file, good);
    expect(await runCommand(database, ['backup', join(folder, whole), '--rehearse'], { environment })).toMatch(
      /is whole/,
    );
  });
});
