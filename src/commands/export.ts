import { resolve } from 'node:path';
import { defineCommand } from 'citty';
import { type Archive, type ExportType, writeExport } from '#features/exports';
import { writePersonalData } from '#features/personal-data';
import { realmRefOf, type RealmIdentity } from '#features/realms';
import { actorOf, findUserByEmail } from '#features/users';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { RealmId } from '#kernel/ids';
import { type Store, WorkTaken } from '#kernel/store';
import { beginFolder, endFolder } from './archives/unfinished.ts';
import { FolderArchive } from './archives/written.ts';
import { accessOrganization, subdomainArg } from './operator/owner.ts';
import { orRefuse, Refusal } from './refusal.ts';
import { configOrExit, withServer } from './run-server.ts';

type Choices = Readonly<Record<'public' | 'consenting' | 'full', boolean>> & { readonly user?: string | undefined };

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
        await exportAlone(context.store, realm.id, () => exportInto(context, realm, { type, ...args }));
      });
    }),
});

export { exportCommand as export };

/** Runs an organization's export unless one is running: the second would take the first one's folder for unfinished. */
async function exportAlone(store: Store, realmId: RealmId, work: () => Promise<void>): Promise<void> {
  try {
    await store.alone(`exporting-${realmId}`, work);
  } catch (error) {
    if (!(error instanceof WorkTaken)) throw error;
    throw new Refusal('another export of this organization is running: wait until it has ended');
  }
}

async function exportInto(
  context: Context,
  realm: RealmIdentity,
  { type, folder, user }: { readonly type: ExportType; readonly folder: string; readonly user?: string | undefined },
): Promise<void> {
  await beginFolder(folder, realm.id);
  const archive = new FolderArchive(resolve(folder));
  if (user !== undefined) {
    const ref = realmRefOf(realm, context.server);
    const { messages, files, missingFiles } = await exportPerson(context, ref, user, archive);
    await archive.settle();
    await endFolder(folder);
    return report(`${messages} messages and ${files} files of ${user}`, missingFiles);
  }
  const counts = await writeExport(context, archive, { realmId: realm.id, type, progress: showProgress });
  await archive.settle();
  await endFolder(folder);
  if (process.stderr.isTTY) process.stderr.write('\n');
  const { users, channels, messages, files, missingFiles } = counts;
  report(`${users} users, ${channels} channels, ${messages} messages and ${files} files`, missingFiles);
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
