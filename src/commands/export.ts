import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { defineCommand } from 'citty';
import { type Archive, type ExportType, writeExport } from '#features/exports';
import { writePersonalData } from '#features/personal-data';
import { realmRefOf } from '#features/realms';
import { actorOf, findUserByEmail } from '#features/users';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { FolderArchive } from './archives/written.ts';
import { makeEmptyFolder } from './backups/copy.ts';
import { accessOrganization, subdomainArg } from './operator/owner.ts';
import { orRefuse, Refusal } from './refusal.ts';
import { configOrExit, withServer } from './run-server.ts';

type Choices = Readonly<Record<'public' | 'consenting' | 'full', boolean>> & { readonly user?: string | undefined };

/** Name and content of a file that exists while an export is unfinished. */
const UNFINISHED = 'UNFINISHED';
const MARK = 'This export by Roost has not been finished.\n';

const exportCommand = defineCommand({
  meta: { name: 'export', description: 'Export an organization into a folder, in the format of established servers' },
  args: {
    folder: {
      type: 'positional',
      required: true,
      description: 'The folder; it must be empty, and is created if missing',
    },
    ...subdomainArg,
    public: { type: 'boolean', default: false, description: 'Only what everybody in the organization may read' },
    consenting: { type: 'boolean', default: false, description: 'Also private data of people who consent' },
    full: { type: 'boolean', default: false, description: 'Everything; the default' },
    user: { type: 'string', description: 'Only the data of one person: the address of the account' },
  },
  run: ({ args }) =>
    orRefuse(async () => {
      const type = typeOf(args);
      await withServer(configOrExit(), async ({ context }) => {
        const realm = await accessOrganization(context, args.subdomain);
        await dropUnfinished(args.folder);
        await makeEmptyFolder(args.folder, `${args.folder} is not empty: give each export a folder of its own`);
        await writeFile(join(args.folder, UNFINISHED), MARK);
        const archive = new FolderArchive(resolve(args.folder));
        if (args.user !== undefined) {
          const { messages, files, missingFiles } = await exportPerson(
            context,
            realmRefOf(realm, context.server),
            args.user,
            archive,
          );
          await finish(archive, args.folder);
          return report(`${messages} messages and ${files} files of ${args.user}`, missingFiles);
        }
        const counts = await writeExport(context, archive, { realmId: realm.id, type, progress: showProgress });
        await finish(archive, args.folder);
        if (process.stderr.isTTY) process.stderr.write('\n');
        const { users, channels, messages, files, missingFiles } = counts;
        report(`${users} users, ${channels} channels, ${messages} messages and ${files} files`, missingFiles);
      });
    }),
});

export { exportCommand as export };

/** Empties the folder of an unfinished export; does nothing to any other folder. */
async function dropUnfinished(folder: string): Promise<void> {
  const mark = await readFile(join(folder, UNFINISHED), 'utf8').catch(() => undefined);
  if (mark === undefined) return;
  const names = (await readdir(folder)).filter((name) => name !== UNFINISHED);
  // The mark is written first, so a partly written mark is the only file.
  if (mark !== MARK && !(names.length === 0 && MARK.startsWith(mark))) return;
  // The mark is removed last, so that an interruption here leaves it in place.
  for (const name of [...names, UNFINISHED]) await rm(join(folder, name), { recursive: true });
  process.stdout.write(`the export in ${folder} was not finished: starting over\n`);
}

async function finish(archive: FolderArchive, folder: string): Promise<void> {
  await archive.settle();
  await rm(join(folder, UNFINISHED));
}

function report(what: string, missingFiles: number): void {
  process.stdout.write(`exported ${what}\n`);
  if (missingFiles > 0) process.stdout.write(`${missingFiles} files are missing: their bytes are not there\n`);
}

/** Exports the data of one person, including their messages that they may no longer read. */
async function exportPerson(context: Context, realm: RealmRef, address: string, archive: Archive) {
  const user = await context.store.in(realm).read((tx) => findUserByEmail(tx, address));
  if (!user) throw new Refusal(`nobody has the address ${address} at ${realm.url}`);
  const actor = { ...actorOf(user, realm, context.clock.now()), client: 'roost export' };
  return writePersonalData(context, archive, { realm, actor, isWhole: true });
}

function typeOf({ user, ...args }: Choices): ExportType {
  const chosen = (['public', 'consenting', 'full'] as const).filter((type) => args[type]);
  if (chosen.length > 0 && user !== undefined) throw new Refusal(`--user needs no --${chosen[0]}`);
  if (chosen.length > 1) throw new Refusal(`choose one of --${chosen.join(', --')}`);
  return chosen[0] ?? 'full';
}

function showProgress(messages: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${messages} messages`);
}
