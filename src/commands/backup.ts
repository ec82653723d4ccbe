import { defineCommand } from 'citty';
import { makeBackup } from './backups/make.ts';
import { rehearse } from './backups/rehearse.ts';
import { makeScheduled } from './backups/scheduled.ts';
import { orRefuse, Refusal } from './refusal.ts';
import { configOrExit } from './run-server.ts';

export const backup = defineCommand({
  meta: { name: 'backup', description: 'Copy what the server keeps into a folder, while it runs' },
  args: {
    folder: {
      type: 'positional',
      required: false,
      description: 'Where to; it must be empty, and is made when missing',
    },
    scheduled: {
      type: 'boolean',
      default: false,
      description: 'Into ROOST_BACKUP_DIR, then restore it on trial and remove old ones, as the server does by itself',
    },
    rehearse: { type: 'boolean', default: false, description: 'Make none, but restore the one in the folder on trial' },
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
