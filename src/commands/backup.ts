import { defineCommand } from 'citty';
import { makeBackup } from './backups/make.ts';
import { rehearse } from './backups/rehearse.ts';
import { makeScheduled } from './backups/scheduled.ts';
import { orRefuse, Refusal } from './refusal.ts';
import { configOrExit } from './run-server.ts';

export const backup = defineCommand({
  meta: { name: 'backup', description: "Back up the server's data into a folder, while it runs" },
  args: {
    folder: {
      type: 'positional',
      required: false,
      description: 'The folder; it must be empty, and is created if missing',
    },
    scheduled: {
      type: 'boolean',
      default: false,
      description: 'Make an automatic backup in ROOST_BACKUP_DIR, rehearse its restore and remove old ones',
    },
    rehearse: {
      type: 'boolean',
      default: false,
      description: 'Make no backup, but rehearse the restore of the one in the folder',
    },
  },
  run: ({ args: { folder, scheduled, rehearse: isTrial } }) =>
    orRefuse(async () => {
      const config = configOrExit();
      if (scheduled) return makeScheduled(config);
      if (folder === undefined) throw new Refusal('say which folder: roost backup FOLDER');
      if (isTrial) {
        const { says } = await rehearse(config, folder);
        process.stdout.write(`rehearsal ${says}\n`);
        return;
      }
      await makeBackup(config, folder);
      process.stdout.write(
        `done      the backup is in ${folder}; it holds the server's secret, so keep it where only you can read it\n`,
      );
    }),
});
