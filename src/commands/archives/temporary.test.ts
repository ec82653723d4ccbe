import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { Refusal } from '../refusal.ts';
import { inTemporary } from './temporary.ts';

it.skipIf(!existsSync('/dev/full'))(
  'a full temporary folder is refused by its name, other errors as they are',
  async () => {
    await expect(writeFile('/dev/full', 'x')).rejects.toThrow('ENOSPC');
    const full = inTemporary(() => writeFile('/dev/full', 'x'));
    await expect(full).rejects.toThrow(Refusal);
    await expect(full).rejects.toThrow(`TMPDIR: ${tmpdir()} cannot hold what the archive unpacks to: its disk is full`);
    await expect(inTemporary(() => writeFile('/dev/null/x', 'x'))).rejects.toThrow('ENOTDIR');
    expect(await inTemporary(async () => 7)).toBe(7);
  },
);
