import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { type ExportType, writeExport } from '#features/exports';
import { findRealmBySubdomain } from '#features/realms';
import { systemClock } from '#kernel/clock';
import { openFiles } from '#kernel/files';
import { makeEmptyFolder } from './backups/copy.ts';
import { subdomainArg } from './operator/owner.ts';
import { orRefuse, Refusal } from './refusal.ts';
import { configOrExit, withServer } from './run-server.ts';

/** Where files lie in the folder until they are whole. */
const INCOMING = '~incoming';

const exportCommand = defineCommand({
  meta: { name: 'export', description: 'Write an organization into a folder, in the format of established servers' },
  args: {
    folder: { type: 'positional', required: true, description: 'Where to; it must be empty, and is made when missing' },
    ...subdomainArg,
    public: { type: 'boolean', default: false, description: 'Only what everybody in the organization may read' },
    consenting: { type: 'boolean', default: false, description: 'And what is private to people who consent to it' },
    full: { type: 'boolean', default: false, description: 'Everything; the default' },
  },
  run: ({ args }) =>
    orRefuse(async () => {
      const type = typeOf(args);
      await withServer(configOrExit(), async ({ context }) => {
        const realm = await context.store.read((tx) => findRealmBySubdomain(tx, args.subdomain));
        if (!realm) throw new Refusal(`there is no organization at ${context.realmUrl(args)}`);
        await makeEmptyFolder(args.folder, `${args.folder} is not empty: give each export a folder of its own`);
        const folder = await openFiles(args.folder, { clock: systemClock });
        const archive = { write: (path: string, source: AsyncIterable<Uint8Array>) => folder.put(path, source) };
        const counts = await writeExport(context, archive, realm.id, type, showProgress);
        await rm(join(args.folder, INCOMING), { recursive: true, force: true });
        if (process.stderr.isTTY) process.stderr.write('\n');
        const { users, channels, messages, files, missingFiles } = counts;
        process.stdout.write(
          `exported ${users} users, ${channels} channels, ${messages} messages and ${files} files\n`,
        );
        if (missingFiles > 0) process.stdout.write(`${missingFiles} files are missing: their bytes are not there\n`);
      });
    }),
});

export { exportCommand as export };

function typeOf(args: Readonly<Record<'public' | 'consenting' | 'full', boolean>>): ExportType {
  const chosen = (['public', 'consenting', 'full'] as const).filter((type) => args[type]);
  if (chosen.length > 1) throw new Refusal(`choose one of --${chosen.join(', --')}`);
  return chosen[0] ?? 'full';
}

function showProgress(messages: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${messages} messages`);
}
