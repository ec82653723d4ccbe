import { VERSION } from '#features/server-version';
import type { RealmId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { allRowsOf, liftBounds, type RealmReadTx } from '#kernel/store';
import type { Archive } from './archive.ts';
import { channelTables } from './channels.ts';
import { avatarsOf, emojiOf, type ExportedFolder, iconsOf, uploadsOf, writeFolders } from './files.ts';
import { OWN_TABLE_PREFIX, inFormat } from './format.ts';
import { heldOf, userMessages } from './user-messages.ts';
import { invitationTables } from './invitations.ts';
import { jsonDocument, type Records } from './json.ts';
import {
  besideMessages,
  Clients,
  flagsOf,
  mentionedGroups,
  messageBytes,
  messagesOf,
  reactionsOf,
  submessagesOf,
  usesByFile,
} from './messages.ts';
import { Lanes } from './lanes.ts';
import { NumberSet } from '#kernel/lists';
import { organizationTables } from './organization.ts';
import { groupTables, peopleTables } from './people.ts';
import { personalTables } from './personal.ts';
import { readReading } from './reading.ts';
import { type ExportType, readScope, type Scope } from './scope.ts';

/** What an export held, for people. */
export interface Exported {
  readonly users: number;
  readonly channels: number;
  readonly messages: number;
  readonly files: number;
  readonly missingFiles: number;
}

/** What is exported. */
interface ExportOptions {
  readonly realmId: RealmId;
  readonly type: ExportType;
  /** Told of the messages written so far. */
  readonly progress?: (messages: number) => void;
}

/** An export that is being written, and what belongs to it. */
interface Writing {
  readonly archive: Archive;
  readonly scope: Scope;
}

/** What has been written of messages: their IDs, and the clients that sent them. */
interface Written {
  readonly ids: NumberSet;
  readonly clients: Clients;
}

/**
 * Writes an organization in the format of established servers, as of one moment; never more of it in memory than a page of
 * messages, its people, its channels, and who has read what. See protocol/organizations#export-format.
 */
export async function writeExport(
  context: Pick<Context, 'store' | 'files'>,
  archive: Archive,
  { realmId, type, progress = () => undefined }: ExportOptions,
): Promise<Exported> {
  const { counts, folders } = await context.store.of(realmId).read(async (tx) => {
    await liftBounds(tx);
    const scope = await readScope(tx, type);
    const writing = { archive, scope };
    const written = await writeMessages(tx, writing, progress);
    await writeRealm(tx, writing, written);
    return {
      folders: await writeAttachments(tx, writing, written),
      counts: {
        users: scope.users.filter((user) => !user.is_system_bot).length,
        channels: scope.channels.length,
        messages: written.ids.size,
      },
    };
  });
  // Copied after the snapshot, which would otherwise stay open until all files are copied.
  const { files, missing } = await writeFolders(context, archive, folders);
  return { ...counts, files, missingFiles: missing };
}

/**
 * The established server's importer requires its own version here. It also compares database migrations, which this
 * server does not have; if none are listed, it only prints a remark.
 */
const MIGRATION_STATUS = JSON.stringify({ migrations_by_app: {}, zulip_version: VERSION });

async function* oneText(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(`${text}\n`);
}

/** Writes messages in files, with each user's flags. A file is written while the next messages are read. */
async function writeMessages(
  tx: RealmReadTx,
  { archive, scope }: Writing,
  progress: (messages: number) => void,
): Promise<Written> {
  const reading = await readReading(tx, scope);
  const [ids, clients, lanes] = [new NumberSet(), new Clients(), new Lanes(archive.atOnce ?? 1)];
  let number = 0;
  try {
    for await (const page of messagesOf(tx, scope)) {
      for (const { id } of page) ids.add(id);
      const own = page.map(({ id }) => Number(id));
      const [groups, flags] = [await mentionedGroups(tx, scope, own), await flagsOf(tx, page)];
      const beside = besideMessages(page, groups);
      const tables: readonly (readonly [string, Records])[] = [
        ['zerver_message', [[messageBytes(page, scope.recipients, clients)]].values()],
        ...(beside.length === 0 ? [] : [[`${OWN_TABLE_PREFIX}zerver_message`, beside] as const]),
        ['zerver_usermessage', userMessages(scope, reading, flags, page.map(heldOf))],
      ];
      const path = `messages-${String(++number).padStart(6, '0')}.json`;
      await lanes.begin(async () => archive.write(path, jsonDocument(tables)));
      progress(ids.size);
    }
  } finally {
    await lanes.end();
  }
  return { ids, clients };
}

async function writeRealm(tx: RealmReadTx, { archive, scope }: Writing, { ids, clients }: Written): Promise<void> {
  const isIn = (messageId: number) => ids.has(messageId);
  clients.idOf('website');
  await archive.write(
    'realm.json',
    jsonDocument(
      await inFormat([
        ['import_source', 'zulip'],
        ...(await organizationTables(tx, scope)),
        ...(await peopleTables(tx, scope)),
        ...(await groupTables(tx, scope)),
        ...(await invitationTables(tx, scope)),
        ...channelTables(tx, scope),
        ...(await personalTables(tx, scope, clients)),
        ['zerver_client', clients.list],
        ['zerver_useractivity', []],
        ['zerver_useractivityinterval', []],
        ['zerver_reaction', reactionsOf(tx, isIn)],
        ['zerver_submessage', submessagesOf(tx, isIn)],
      ]),
    ),
  );
  await archive.write('migration_status.json', oneText(MIGRATION_STATUS));
}

/** What is known of files; which they are. */
async function writeAttachments(
  tx: RealmReadTx,
  { archive, scope }: Writing,
  { ids }: Written,
): Promise<readonly ExportedFolder[]> {
  const uses = await usesByFile(tx, scope, (messageId) => ids.has(messageId));
  const all = await allRowsOf(tx, 'attachment');
  const attachments = all.filter((row) => uses.has(row.id) || (scope.type === 'full' && row.unused_since !== null));
  await archive.write(
    'attachment.json',
    jsonDocument(
      await inFormat([
        [
          'zerver_attachment',
          attachments.map((row) => ({
            id: row.id,
            realm: row.realm_id,
            owner: row.owner_id,
            file_name: row.name,
            path_id: row.path_id,
            size: row.size,
            content_type: row.content_type,
            create_time: row.create_time,
            messages: (uses.get(row.id) ?? []).map((use) => use.message_id),
            scheduled_messages: [],
          })),
        ],
      ]),
    ),
  );
  const [realm] = await allRowsOf(tx, 'realm');
  return [
    { name: 'uploads', files: uploadsOf(attachments) },
    { name: 'avatars', files: avatarsOf(scope.users) },
    { name: 'emoji', files: emojiOf(await allRowsOf(tx, 'realm_emoji')) },
    { name: 'realm_icons', files: realm ? iconsOf(realm) : [] },
  ];
}
