import { readFileSync } from 'node:fs';
import { defineCommand } from 'citty';
import {
  type ArchiveFiles,
  ImportRefused,
  importArchive,
  joinArchive,
  mattermostSource,
  mboxSource,
  type Report,
  rocketChatSource,
  slackSource,
  type SlackFetching,
  type Source,
} from '#features/imports';
import { realmUrlOf } from '#kernel/auth';
import { stayFor } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { oneLine } from '#kernel/text';
import { folderSource } from './archives/folder.ts';
import { unpacked } from './archives/unpack.ts';
import { orRefuse, Refusal } from './refusal.ts';
import { configOrExit, withServer } from './run-server.ts';

/** A valid subdomain. */
const SUBDOMAIN = /^[a-z0-9-]{0,40}$/;

/** How to read the archive of each product. */
const SOURCES: Readonly<Record<string, (files: Source & ArchiveFiles, fetching?: SlackFetching) => Promise<Source>>> = {
  zulip: (files) => Promise.resolve(files),
  slack: slackSource,
  mattermost: mattermostSource,
  rocketchat: rocketChatSource,
  mbox: mboxSource,
};

const importCommand = defineCommand({
  meta: { name: 'import', description: 'Import an organization from the archive of another server' },
  args: {
    archive: { type: 'positional', required: true, description: 'A folder, or a .tar.gz, .tar or .zip' },
    from: { type: 'string', required: true, description: `What the archive is: ${Object.keys(SOURCES).join(', ')}` },
    'owner-email': { type: 'string', description: 'Address of the owner of the new organization' },
    'into-existing': {
      type: 'boolean',
      default: false,
      description: 'Import into an existing organization instead of a new one',
    },
    name: { type: 'string', description: 'Name of the organization; by default the one in the archive' },
    subdomain: { type: 'string', default: '', description: 'Subdomain of the organization; empty for the root domain' },
    'fetch-files': {
      type: 'boolean',
      default: false,
      description: 'Download the files that a Slack export only links, with the tokens in their addresses',
    },
    'token-file': {
      type: 'string',
      description:
        'A file with the token of a Slack app that may read files, for downloading them; implies --fetch-files',
    },
    'dry-run': { type: 'boolean', default: false, description: 'Only show what would be imported' },
  },
  run: ({ args }) =>
    orRefuse(async () => {
      const sourceOf = Object.hasOwn(SOURCES, args.from) ? SOURCES[args.from] : undefined;
      if (!sourceOf) throw new Refusal(`--from takes ${Object.keys(SOURCES).join(', ')}, not "${args.from}"`);
      if (!SUBDOMAIN.test(args.subdomain)) throw new Refusal(`"${args.subdomain}" is not a label of a host name`);
      const token = tokenIn(args['token-file']);
      const isFetching = (args['fetch-files'] || token !== undefined) && !args['dry-run'];
      if (isFetching && args.from !== 'slack') throw new Refusal('--fetch-files and --token-file are for --from slack');
      const take = args['into-existing'] ? joining(args) : making(args);
      await withServer(configOrExit(), ({ context }) =>
        unpacked(args.archive, async (folder) => {
          const report = await orSay(args['into-existing'], async () =>
            take(context, await sourceOf(folderSource(folder), isFetching ? fetchingBy(context, token) : undefined)),
          );
          if (process.stderr.isTTY) process.stderr.write('\n');
          write(report, args['dry-run'] ? 'would come' : 'came');
          if (args['dry-run']) return;
          process.stdout.write(`imported ${realmUrlOf(args.subdomain, context.server)}\n`);
          process.stdout.write('people choose a password by "Forgot password", or with roost user reset-password\n');
        }),
      );
    }),
});

export { importCommand as import };

/** Reads the token from a file, because other users of the machine can see command lines. */
function tokenIn(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    const token = readFileSync(file, 'utf8').trim();
    if (/^[\w-]{10,500}$/.test(token)) return token;
  } catch {
    throw new Refusal(`${file} cannot be read`);
  }
  throw new Refusal(`${file} holds no token`);
}

function fetchingBy({ outbound, clock, server }: Context, token: string | undefined): SlackFetching {
  return { outbound, clock, wait: stayFor, maxBytes: server.maxUploadMib * 2 ** 20, token };
}

interface Arguments {
  readonly subdomain: string;
  readonly name?: string | undefined;
  readonly 'owner-email'?: string | undefined;
  readonly 'dry-run': boolean;
}

type Take = (context: Context, source: Source) => Promise<Report>;

/** Imports an archive as a new organization. */
function making({ subdomain, name, 'owner-email': ownerEmail, 'dry-run': isDry }: Arguments): Take {
  if (ownerEmail === undefined) throw new Refusal('--owner-email is needed for a new organization');
  if (!/^[^\s@]+@[^\s@]+$/.test(ownerEmail)) throw new Refusal(`"${ownerEmail}" is no address`);
  return (context, source) =>
    importArchive(context, source, { subdomain, name, ownerEmail, isDry, progress: showProgress });
}

/** Imports an archive into an existing organization. */
function joining({ subdomain, name, 'owner-email': ownerEmail, 'dry-run': isDry }: Arguments): Take {
  if (name !== undefined || ownerEmail !== undefined)
    throw new Refusal('--into-existing changes neither name nor owner: leave out --name and --owner-email');
  return (context, source) => joinArchive(context, source, { subdomain, isDry, progress: showProgress });
}

/** Tells the operator of a failed import what is left of it. */
async function orSay(isJoining: boolean, work: () => Promise<Report>): Promise<Report> {
  try {
    return await work();
  } catch (error) {
    const then = isJoining ? 'what came stays; run it again to go on' : 'nothing of it stays';
    process.stderr.write(`the import was not finished: ${then}\n`);
    throw error instanceof ImportRefused ? new Refusal(error.message) : error;
  }
}

function write(report: Report, verb: string): void {
  // Names of the archive stand in them, which must not command the terminal.
  for (const [what, number] of report.counts)
    if (number > 0) process.stdout.write(`${verb}: ${number} ${oneLine(what)}\n`);
  for (const remark of report.remarks) process.stdout.write(`note: ${oneLine(remark)}\n`);
}

/** Length of the progress bar in characters. */
const BAR = 30;

function showProgress(messages: number, of: number): void {
  if (!process.stderr.isTTY || of === 0) return;
  const full = Math.floor((BAR * messages) / of);
  const bar = '#'.repeat(full).padEnd(BAR, '.');
  process.stderr.write(`\r[${bar}] ${Math.floor((100 * messages) / of)} % of ${of} messages`);
}
