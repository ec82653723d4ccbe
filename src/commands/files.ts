import { defineCommand } from 'citty';
import { systemClock } from '#kernel/clock';
import { dataPaths } from '#kernel/config';
import { openFiles } from '#kernel/files';
import { moveFiles } from './moving/files.ts';
import { orRefuse, Refusal } from './refusal.ts';
import { configOrExit } from './run-server.ts';

/** The value of `--to` that means the data folder. */
const FOLDER = 'folder';

const move = defineCommand({
  meta: { name: 'move', description: 'Copy all files to another place while the server runs' },
  args: {
    to: { type: 'string', required: true, description: 's3://…, or "folder", the one below the data folder' },
  },
  run: ({ args: { to } }) =>
    orRefuse(async () => {
      const { uploadsUrl, dataDir } = configOrExit();
      const folder = dataPaths(dataDir).files;
      if (to !== FOLDER && !to.startsWith('s3://')) throw new Refusal(`--to takes s3://… or "${FOLDER}"`);
      const [from, target] = [uploadsUrl ?? folder, to === FOLDER ? folder : to];
      if (from === target) throw new Refusal('the files are there already');
      const clock = systemClock;
      await moveFiles(await openFiles(from, { clock }), await openFiles(target, { clock }));
      const next = to === FOLDER ? 'unset ROOST_UPLOADS_URL' : 'set ROOST_UPLOADS_URL';
      process.stdout.write(`${next}, start the server anew, and then run this once more for what came meanwhile\n`);
    }),
});

export const files = defineCommand({
  meta: { name: 'files', description: 'Manage the files that people upload' },
  subCommands: { move },
});
