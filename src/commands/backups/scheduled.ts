import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SECONDS_PER_DAY, systemClock } from '#kernel/clock';
import type { Config } from '#kernel/config';
import { Refusal } from '../refusal.ts';
import { makeBackup } from './make.ts';
import { readManifest } from './manifest.ts';
import { readRehearsal, rehearse } from './rehearse.ts';

/** Names of scheduled backups; only folders with such a name are ever removed. */
const NAME = /^roost-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z$/;
/** Seconds after which an unfinished backup counts as abandoned. */
const ABANDONED_SECONDS = SECONDS_PER_DAY;

/** A scheduled backup. */
interface Made {
  readonly folder: string;
  /** Seconds since 1970 when it began. */
  readonly at: number;
  readonly isWhole: boolean;
}

/** Lists the scheduled backups, newest first. */
export async function listMade(dir: string): Promise<readonly Made[]> {
  const names = await readdir(dir).catch(() => []);
  const made = names.flatMap((name) => {
    const [, day, hour, minute, second] = NAME.exec(name) ?? [];
    const at = Date.parse(`${day}T${hour}:${minute}:${second}Z`) / 1000;
    return day === undefined ? [] : [{ folder: join(dir, name), at }];
  });
  const whole = await Promise.all(
    made.map(({ folder }) =>
      readManifest(folder).then(
        () => true,
        () => false,
      ),
    ),
  );
  return made.map((one, index) => ({ ...one, isWhole: whole[index] ?? false })).toSorted((a, b) => b.at - a.at);
}

/** Makes a backup in the configured folder, rehearses it, and removes old ones. */
export async function makeScheduled(config: Config): Promise<void> {
  const { backupDir } = config;
  if (backupDir === undefined) throw new Refusal('ROOST_BACKUP_DIR is unset: it names the folder for backups');
  await mkdir(backupDir, { recursive: true, mode: 0o700 });
  const time = new Date(systemClock.now() * 1000).toISOString().slice(0, 19).replaceAll(':', '-');
  const folder = join(backupDir, `roost-${time}Z`);
  await makeBackup(config, folder);
  const { says } = await rehearse(config, folder);
  process.stdout.write(`rehearsal ${says}\n`);
  const removed = await removeOld(backupDir, config.backupKeep);
  process.stdout.write(`done      the backup is in ${folder}; ${removed} old ones were removed\n`);
}

/** Removes all but the newest backups, but never the newest one whose rehearsal succeeded. Returns how many. */
async function removeOld(dir: string, keep: number): Promise<number> {
  const made = await listMade(dir);
  const whole = made.filter(({ isWhole }) => isWhole);
  const tried = await Promise.all(whole.map(async ({ folder }) => (await readRehearsal(folder))?.fault === ''));
  const proven = whole.find((_one, index) => tried[index]);
  const old = whole.slice(keep).filter((one) => one !== proven);
  const abandoned = made.filter(({ isWhole, at }) => !isWhole && systemClock.now() - at > ABANDONED_SECONDS);
  for (const { folder } of [...old, ...abandoned]) await rm(folder, { recursive: true, force: true });
  return old.length + abandoned.length;
}
