import { defineCommand } from 'citty';
import {
  type ArchiveFiles,
  type ImportOptions,
  ImportRefused,
  importArchive,
  mattermostSource,
  mboxSource,
  type Report,
  rocketChatSource,
  slackSource,
  type Source,
} from '#features/imports';
import type { Context } from '#kernel/context';
import { unpacked } from './archives/unpack.ts';
import { folderSource } from './archives/folder.ts';
import { orRefuse, Refusal } from './refusal.ts';
import { configOrExit, withServer } from './run-server.ts';

/** What can stand before the host name. */
const SUBDOMAIN = /^[a-z0-9-]{0,40}$/;

/** How archives of each product are read. */
const SOURCES: Readonly<Record<string, (files: Source & ArchiveFiles) => Promise<Source>>> = {
  zulip: (files) => Promise.resolve(files),
  slack: slackSource,
  mattermost: mattermostSource,
  rocketchat: rocketChatSource,
  mbox: mboxSource,
};

const importCommand = defineCommand({
  meta: { name: 'import', description: 'Take in an organization from the archive of another server' },
  args: {
    archive: { type: 'positional', required: true, description: 'A folder, or a .tar.gz, .tar or .zip' },
    from: { type: 'string', required: true, description: `What the archive is: ${Object.keys(SOURCES).join(', ')}` },
    'owner-email': { type: 'string', required: true, description: 'Address of who owns the organization here' },
    name: { type: 'string', description: 'Name of the organization; else the one in the archive' },
    subdomain: { type: 'string', default: '', description: 'Label before the host name; empty for the root domain' },
    'dry-run': { type: 'boolean', default: false, description: 'Only say what would come' },
  },
  run: ({ args }) =>
    orRefuse(async () => {
      const sourceOf = Object.hasOwn(SOURCES, args.from) ? SOURCES[args.from] : undefined;
      if (!sourceOf) throw new Refusal(`--from takes ${Object.keys(SOURCES).join(', ')}, not "${args.from}"`);
      if (!SUBDOMAIN.test(args.subdomain)) throw new Refusal(`"${args.subdomain}" is not a label of a host name`);
      if (!/^[^\s@]+@[^\s@]+$/.test(args['owner-email'])) throw new Refusal(`"${args['owner-email']}" is no address`);
      await withServer(configOrExit(), ({ context }) =>
        unpacked(args.archive, async (folder) => {
          const report = await take(context, () => sourceOf(folderSource(folder)), {
            subdomain: args.subdomain,
            name: args.name,
            ownerEmail: args['owner-email'],
            isDry: args['dry-run'],
            progress: showProgress,
          });
          if (process.stderr.isTTY) process.stderr.write('\n');
          write(report, args['dry-run'] ? 'would come' : 'came');
          if (args['dry-run']) return;
          process.stdout.write(`imported ${context.realmUrl(args)}\n`);
          process.stdout.write('people choose a password by "Forgot password", or with roost user reset-password\n');
        }),
      );
    }),
});

export { importCommand as import };

async function take(context: Context, source: () => Promise<Source>, options: ImportOptions): Promise<Report> {
  try {
    return await importArchive(context, await source(), options);
  } catch (error) {
    throw error instanceof ImportRefused ? new Refusal(error.message) : error;
  }
}

function write(report: Report, verb: string): void {
  for (const [what, number] of report.counts) if (number > 0) process.stdout.write(`${verb}: ${number} ${what}\n`);
  for (const remark of report.remarks) process.stdout.write(`note: ${remark}\n`);
}

function showProgress(messages: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${messages} of ${of} messages`);
}
