import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inOwnFolder } from './own-folder.ts';

describe('the folder of an import', () => {
  let temporary: string;
  beforeEach(() => {
    temporary = mkdtempSync(join(tmpdir(), 'roost-own-'));
    vi.stubEnv('TMPDIR', temporary);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    rmSync(temporary, { recursive: true });
  });

  it('is of this user only, and goes at the end', async () => {
    await inOwnFolder(async (folder) => {
      writeFileSync(join(folder, 'realm.json'), '{}');
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('goes before %s ends the process', async (signal) => {
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      expect(readdirSync(temporary)).toEqual([]);
      return true;
    });
    const others = process.listeners(signal);
    await inOwnFolder(async (folder) => {
      writeFileSync(join(folder, 'realm.json'), '{}');
      // Its own listener alone: that of an open browser would end this process.
      const own = process.listeners(signal).filter((one) => !others.includes(one));
      for (const one of own) one(signal);
    });
    expect(kill).toHaveBeenCalledWith(process.pid, signal);
  });

  it('goes with the next one if the process was killed; those of running processes and of others stay', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    mkdirSync(join(temporary, `roost-import-${pid}-abc`), { mode: 0o700 });
    writeFileSync(join(temporary, `roost-import-${pid}-abc`, 'realm.json'), '{}');
    const staying = [`roost-import-${process.ppid}-abc`, 'roost-import-old', 'roost-other-1-x'];
    for (const name of staying) mkdirSync(join(temporary, name), { mode: 0o700 });
    // One in which others could put links while it is removed.
    mkdirSync(join(temporary, `roost-import-${pid}-open`), { mode: 0o755 });
    staying.push(`roost-import-${pid}-open`);
    await inOwnFolder(async () => undefined);
    expect(readdirSync(temporary).toSorted()).toEqual(staying.toSorted());
  });
});
