import { systemClock } from '#kernel/clock';
import type { Config } from '#kernel/config';
import { readRehearsal } from '../backups/rehearse.ts';
import { listMade } from '../backups/scheduled.ts';
import { timeOf } from '../operator/output.ts';
import { type Finding, failed, note, ok } from './finding.ts';

/** Checks that scheduled backups are made, and that the last one can be restored. */
export async function checkBackups({ backupDir, backupHours }: Config): Promise<Finding[]> {
  const about = 'backups';
  if (backupDir === undefined) return [note(about, 'ROOST_BACKUP_DIR is unset: the server makes none by itself')];
  const made = await listMade(backupDir);
  const [newest] = made.filter(({ isWhole }) => isWhole);
  if (!newest) return [failed(about, `there is none in ${backupDir} yet: a server that runs makes one within minutes`)];
  const hours = Math.floor((systemClock.now() - newest.at) / 3600);
  const says = `the last is of ${timeOf(newest.at)}`;
  if (hours > 2 * backupHours)
    return [failed(about, `${says}, ${hours} hours ago: the log says why there is none since`)];
  const trial = await readRehearsal(newest.folder);
  if (!trial) return [failed(about, `${says} and was not restored on trial: roost backup ${newest.folder} --rehearse`)];
  if (trial.fault !== '') return [failed(about, `${says} and cannot be restored: ${trial.fault}`)];
  const count = made.filter(({ isWhole }) => isWhole).length;
  return [ok(about, `${says}; restored on trial, ${trial.says}; ${count} are kept`)];
}
